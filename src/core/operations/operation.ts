import type { Calls } from '../calls.ts'
import { decodeEntries, lost } from '../decode-entries.ts'
import type { Entry } from '../entries.ts'
import { ResultGoneError } from '../errors.ts'
import { importAnswer, isNamed } from '../operation.ts'
import { areThose, type ClosedRange, closePath, describeSeqs, selectSeqs, seqsOf } from '../path.ts'
import { type ReadSlice, readSlice } from '../read-slice.ts'
import type { OperationResult } from '../types.ts'

/** What a named operation did, and the entries it added, as long as they exist. */
export async function operation<Message extends object>(
  calls: Calls,
  session: string,
  id: string,
): Promise<OperationResult<Message> | null> {
  const { state, operation: record } = await calls.read(session, { operation: id })
  if (record === null || !isNamed(record)) return null
  const { version, epoch, at, first, count, answer } = record.committed
  if (state === null || record.ended) throw new ResultGoneError(session, id)
  const entries: Entry[] = []
  const added: ClosedRange[] = count === 0 || answer === importAnswer ? [] : [[first, first + count - 1]]
  for (let left: readonly ClosedRange[] = added; left.length > 0; ) {
    const slice = await readSlice(calls, session, left)
    if (slice.state?.log !== state.log) throw new ResultGoneError(session, id)
    if (!areThose(slice.read, slice.entries)) throw missing(session, id, slice)
    entries.push(...decodeEntries(session, slice.entries))
    left = slice.rest
  }
  return { version, epoch, at, seqs: entries.map(({ seq }) => seq), entries: entries as Entry<Message>[] }
}

/** Swept, or lost if the path still reads it. */
function missing(session: string, id: string, { state, read, entries }: ReadSlice): Error {
  const found = new Set(entries.map(({ seq }) => seq))
  const gone = [...seqsOf(read)].filter((seq) => !found.has(seq))
  const needed = state === null ? [] : selectSeqs(closePath(state.path, state.end), gone)
  return needed.length === 0
    ? new ResultGoneError(session, id)
    : lost(session, needed, `entries ${describeSeqs(needed)} are missing`)
}
