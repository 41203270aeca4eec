import { diffSequences } from './diff-lines.ts'

/** A part of a line, and whether the other line lacks it. */
export interface LinePart {
  readonly text: string
  readonly isChanged: boolean
}

const word = /\w+|\s+|[^\w\s]/g

/** What changed within a line. Null if the lines have less than a third of their words in common: then they are simply two lines. */
export function diffWords(before: string, after: string): { before: LinePart[]; after: LinePart[] } | null {
  const found = diffSequences(before.match(word) ?? [], after.match(word) ?? [])
  const isWord = ({ text }: { text: string }) => /\S/.test(text)
  const common = found.filter(({ sign, text }) => sign === ' ' && isWord({ text })).length
  if (common * 3 < found.filter(isWord).length) return null
  const side = (own: '-' | '+') =>
    found.flatMap(({ sign, text }) => (sign === own || sign === ' ' ? [{ text, isChanged: sign === own }] : []))
  return { before: joinParts(side('-')), after: joinParts(side('+')) }
}

function joinParts(parts: readonly LinePart[]): LinePart[] {
  const joined: LinePart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.isChanged === part.isChanged) joined[joined.length - 1] = { ...part, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}
