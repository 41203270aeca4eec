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

/** JSON whose strings neither act on a terminal nor break a line; its value is the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, carryBytes, indent).replace(hidden, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  )
}

/** Bytes are written as base64, embeddings as numbers. */
function carryBytes(_key: string, value: unknown): unknown {
  if (value instanceof Float32Array) return Array.from(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}

function writeOut(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
