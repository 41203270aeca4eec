import type { SessionCopy, StoredEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { checkCopy } from '../check-copy.ts'
import { publish } from '../diagnostics.ts'
import { MemoryLostError, SessionNotFoundError } from '../errors.ts'
import { inspectSession } from '../inspect-session.ts'
import { digestable, makeOperation } from '../operation.ts'
import type { Imported, ImportOptions } from '../types.ts'
import { beginSession } from './begin-session.ts'

export async function exportSession(calls: Calls, session: string): Promise<SessionCopy> {
  let entries: StoredEntry[] = []
  const { list, damage } = await inspectSession(calls, session, {
    begin: () => {
      entries = []
    },
    visit: (slice) => {
      for (const entry of slice) entries.push({ ...entry, bytes: entry.bytes && new Uint8Array(entry.bytes) })
    },
  })
  if (list === null || damage.length > 0) {
    const seqs = damage.flatMap((one) => one.seqs)
    const reason = damage.map((one) => one.reason).join('; ')
    publish('lost', { session, seqs, reason })
    throw new MemoryLostError(session, seqs, reason)
  }
  if (list.state === null) throw new SessionNotFoundError(session)
  const { path, ...head } = list.state
  const needed = new Set([head.epoch, ...list.snapshots.map(({ epoch }) => epoch)])
  const epochs = [...list.paths].map(([number, kept]) => ({ number, path: kept }))
  return {
    id: session,
    head,
    epochs: structuredClone(epochs.filter(({ number }) => needed.has(number)).sort(byNumber)),
    snapshots: structuredClone([...list.snapshots].sort(byNumber)),
    entries,
  }
}

export async function importSession(calls: Calls, copy: SessionCopy, options: ImportOptions): Promise<Imported> {
  const { id: session, ...restore } = checkCopy(copy)
  const { head, epochs, snapshots, entries } = restore
  const content = options.operationId ? [session, head, epochs, snapshots, entries.map(digestable)] : []
  const { id, digest } = makeOperation('importSession', options.operationId, content)
  const { version, epoch, count } = await beginSession(calls, session, { operation: { id, digest }, restore })
  return { version, epoch, entries: count }
}

function byNumber(a: { readonly number: number }, b: { readonly number: number }): number {
  return a.number - b.number
}
