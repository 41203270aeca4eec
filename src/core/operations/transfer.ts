import { noAbout } from '../advance.ts'
import type { SessionCopy, StoredEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { openCopy } from '../check-copy.ts'
import { lost } from '../decode-entries.ts'
import { SessionNotFoundError } from '../errors.ts'
import { makeGiveWay } from '../give-way.ts'
import { inspectSession } from '../inspect-session.ts'
import { makeNonce } from '../make-nonce.ts'
import { digestable, importAnswer, OperationMaker } from '../operation.ts'
import type { Imported, ImportOptions } from '../types.ts'
import { StagedCopy } from './staged-copy.ts'

/** The nonce of the path never leaves the store: an imported session has a path of its own, so nothing that was planned on the path of another log is applied to it. */
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
    throw lost(session, seqs, reason)
  }
  if (list.state === null) throw new SessionNotFoundError(session)
  const { path, log, ...head } = list.state
  const needed = new Set([head.epoch, ...list.snapshots.map(({ epoch }) => epoch)])
  const epochs = list.epochs
    .filter(({ number }) => needed.has(number))
    .map(({ number, path: read, cause, at }) => ({ number, path: read, cause, at }))
  return {
    id: session,
    head: { ...head, epochNonce: head.takenBackNonce },
    epochs: structuredClone(epochs.sort(byNumber)),
    snapshots: structuredClone([...list.snapshots].sort(byNumber)),
    entries,
    about: { ...(list.about ?? noAbout) },
  }
}

export async function importSession(calls: Calls, copy: SessionCopy, options: ImportOptions): Promise<Imported> {
  const { id: session, head, epochs, snapshots, about, slices } = openCopy(copy)
  const epochNonce = makeNonce()
  const maker = new OperationMaker('importSession', options.operationId)
  for (const part of [session, head, epochs, snapshots, about]) maker.add(part)
  const { version, epoch, count } = await StagedCopy.use(calls, session, maker.id, async (staged) => {
    const giveWay = makeGiveWay()
    for (const slice of slices) {
      if (maker.given) for (const entry of slice) maker.add(digestable(entry))
      await staged.add(slice)
      await giveWay()
    }
    const { id, digest } = maker.operation
    return staged.begin({ id, digest, answer: importAnswer }, (entries) => ({
      restore: { head: { ...head, epochNonce }, epochs, snapshots, about, entries: entries as readonly StoredEntry[] },
    }))
  })
  return { version, epoch, entries: count }
}

function byNumber(a: { readonly number: number }, b: { readonly number: number }): number {
  return a.number - b.number
}
