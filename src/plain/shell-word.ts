/** Quotes a text as one word for the shell. */
export function shellWord(text: string): string {
  return /^[\w./@%+:,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
