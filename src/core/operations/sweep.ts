import type { Drop, KeptEpoch, SnapshotList } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { publish } from '../diagnostics.ts'
import { MemoryLostError } from '../errors.ts'
import { closePath, pathsOf, RangeUnion, unreadRanges } from '../path.ts'
import { isBackendError, isLost } from '../recognize-error.ts'
import { pathTokenOf } from '../session-state.ts'
import type { ProgressOptions, Swept } from '../types.ts'
import { eachSession } from './each-session.ts'

/** Limits how long others wait for the lock or the event loop. */
const maxEntriesPerDrop = 1000

/** What neither the path nor any snapshot reads, as of one moment; `null` if there is no session. */
export function unread(session: string, { state, snapshots, epochs }: SnapshotList): Omit<Drop, 'limit'> | null {
  if (state === null) return null
  const paths = pathsOf(epochs)
  const kept = new RangeUnion()
  kept.add(closePath(state.path, state.end))
  for (const { id, epoch, end } of snapshots) {
    const path = paths.get(epoch)
    if (path === undefined)
      throw new MemoryLostError(session, [], `the path of snapshot ${JSON.stringify(id)} is missing`)
    kept.add(closePath(path, end))
  }
  const needed = withBases(epochs, [state.epoch, ...snapshots.map(({ epoch }) => epoch)])
  return {
    ifPath: pathTokenOf(state),
    ranges: unreadRanges(state.end, kept.ranges),
    epochs: epochs.map(({ number }) => number).filter((number) => !needed.has(number)),
  }
}

/** The numbers, and those of the epochs that they are stored as differences from. */
function withBases(epochs: readonly KeptEpoch[], numbers: readonly number[]): Set<number> {
  const bases = new Map(epochs.map(({ number, base }) => [number, base]))
  const needed = new Set<number>()
  for (const number of numbers) {
    for (let next: number | null = number; next !== null && !needed.has(next); next = bases.get(next) ?? null) {
      needed.add(next)
    }
  }
  return needed
}

/** One slice after an operation that is already done: a failure is only published, and `sweep` will do it later. */
export async function sweepSlice(calls: Calls, session: string): Promise<void> {
  try {
    const drop = unread(session, await calls.snapshots(session))
    if (drop !== null && drop.ranges.length + drop.epochs.length > 0)
      await calls.drop(session, { ...drop, limit: maxEntriesPerDrop })
  } catch (error) {
    if (!(isBackendError(error) || isLost(error))) throw error
    publish('unswept', { session, error })
  }
}

export async function sweep(
  calls: Calls,
  session: string | undefined,
  { onProgress }: ProgressOptions,
): Promise<Swept> {
  let sessions = 0
  const swept: Swept = { entries: 0, damaged: [] }
  const sweepOne = async (id: string) => {
    try {
      await sweepSession(calls, id, (dropped) => {
        swept.entries += dropped
        onProgress?.({ sessions, entries: swept.entries })
      })
    } catch (error) {
      if (!isLost(error)) throw error
      swept.damaged.push(id)
    }
    sessions += 1
    onProgress?.({ sessions, entries: swept.entries })
  }
  if (session !== undefined) {
    await sweepOne(session)
    return swept
  }
  for await (const { id } of eachSession(calls)) await sweepOne(id)
  for (;;) {
    const { entries, done } = await calls.reclaim('all')
    swept.entries += entries
    onProgress?.({ sessions, entries: swept.entries })
    if (done) return swept
  }
}

async function sweepSession(calls: Calls, session: string, onDropped: (entries: number) => void): Promise<void> {
  for (;;) {
    const drop = unread(session, await calls.snapshots(session))
    if (drop === null || drop.ranges.length + drop.epochs.length === 0) return
    for (;;) {
      const dropped = await calls.drop(session, { ...drop, limit: maxEntriesPerDrop })
      if (dropped === null) break
      onDropped(dropped.entries)
      if (dropped.done) return
    }
  }
}
