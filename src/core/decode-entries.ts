import type { StoredEntry } from './backend.ts'
import { decodeEntry } from './decode-entry.ts'
import { publish } from './diagnostics.ts'
import type { Entry } from './entries.ts'
import { MemoryLostError } from './errors.ts'
import { describeSeqs } from './path.ts'

/** Decodes all, or throws a `MemoryLostError` that names every unreadable entry. */
export function decodeEntries(session: string, stored: readonly StoredEntry[]): Entry[] {
  const unreadable: { seq: number; error: unknown }[] = []
  const entries: Entry[] = []
  for (const one of stored) {
    try {
      entries.push(decodeEntry(one))
    } catch (error) {
      unreadable.push({ seq: one.seq, error })
    }
  }
  const [first] = unreadable
  if (first === undefined) return entries
  const seqs = unreadable.map(({ seq }) => seq)
  const reason = `entries ${describeSeqs(seqs)} cannot be read: ${(first.error as Error).message}`
  throw lost(session, seqs, reason, first.error)
}

/** Publishes the loss, and makes the error to throw. */
export function lost(session: string, seqs: readonly number[], reason: string, cause?: unknown): MemoryLostError {
  publish('lost', { session, seqs, reason })
  return new MemoryLostError(session, seqs, reason, cause === undefined ? {} : { cause })
}
