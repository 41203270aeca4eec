import type { EntryView, PartView } from '../../src/inspector/wire.ts'

export interface Answer {
  readonly seq: number
  readonly kind: EntryView['kind']
  readonly part: PartView
  readonly index: number
}

/** An entry with what came of the tool calls it makes. */
export interface Folded {
  readonly entry: EntryView
  /** By the index of the part that makes the call. Some are parts of the entry itself. */
  readonly answers: ReadonlyMap<number, readonly Answer[]>
}

/**
 * Puts results and records of tool calls under the call. Those whose call is not among the entries stay on their own, and
 * an entry that says more than results stays, too.
 */
export function foldCalls(entries: readonly EntryView[]): Folded[] {
  const calls = new Map<string, Answer[]>()
  const folded: Folded[] = []
  for (const entry of entries) {
    const parts = [...entry.parts.entries()]
    const answersTo = ({ kind, id }: PartView) =>
      id !== null && (kind === 'result' || entry.kind === 'toolCall') ? calls.get(id) : undefined
    const tellAnswers = () => {
      for (const [index, part] of parts) {
        if (part.kind === 'result') answersTo(part)?.push({ seq: entry.seq, kind: entry.kind, part, index })
      }
    }
    if (parts.length > 0 && parts.every(([, part]) => answersTo(part) !== undefined)) {
      tellAnswers()
      continue
    }
    const answers = new Map<number, Answer[]>()
    for (const [index, { kind, id }] of parts) {
      if (kind !== 'call' || id === null) continue
      const own: Answer[] = []
      answers.set(index, own)
      calls.set(id, own)
    }
    tellAnswers()
    folded.push({ entry, answers })
  }
  return folded
}
