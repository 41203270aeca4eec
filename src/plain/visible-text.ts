/** Characters that are invisible or move the cursor, except those that join emoji and letters. */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text on one line. Characters that are invisible or would act on the terminal are escaped. */
export function visibleLine(text: string): string {
  return text.replace(hidden, (character) => short[character] ?? writeOut(character))
}

/** The same, but keeps line breaks. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|\n/).map((line) => visibleLine(line.replaceAll('\t', '    ')))
}

/** Escapes invisible characters the way JSON does, so that JSON keeps its value; on one line. */
export function escapeHidden(text: string): string {
  return text.replace(hidden, (character) => short[character] ?? character.split('').map(unit).join(''))
}

/** In quotes; still JSON of the same text. */
export const quoteVisibly = (text: string): string => escapeHidden(JSON.stringify(text))

function writeOut(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

function unit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
