const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text in which nothing is invisible, turns a line or moves the cursor of a terminal. */
export function makeVisible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be made visible
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** In quotes; still JSON of the same text. */
export const quoteVisibly = (text: string): string => makeVisible(JSON.stringify(text))
