import { randomUUID } from 'node:crypto'
import type { KeptEpoch, SnapshotList, SnapshotRecord } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { MemoryLostError, SnapshotNotFoundError } from '../errors.ts'
import { conditionsOf, makeOperation } from '../operation.ts'
import { closePath, countEntries, planOnBase } from '../path.ts'
import { beginOf } from '../session-about.ts'
import type {
  ListedSnapshot,
  RolledBack,
  SavedSnapshot,
  Snapshot,
  SnapshotOptions,
  WriteOptions,
  Written,
} from '../types.ts'
import { changePath } from './change-path.ts'
import { sweepSlice } from './sweep.ts'

export const automaticSnapshotsKept = 10

export async function saveSnapshot(calls: Calls, session: string, options: SnapshotOptions): Promise<SavedSnapshot> {
  const label = options.label ?? null
  const id = options.id ?? randomUUID()
  const operation = makeOperation('saveSnapshot', options.operationId, [options.id, label])
  const { version, epoch, at, answer } = await calls.commit(session, {
    operation: { id: operation.id, digest: operation.digest, ...(options.id === undefined && { answer: id }) },
    ...conditionsOf(options),
    ...beginOf(options),
    putSnapshot: { id, label, automatic: false },
  })
  return { id: answer ?? id, label, automatic: false, at, version, epoch }
}

export async function listSnapshots(calls: Calls, session: string): Promise<ListedSnapshot[]> {
  return snapshotsOf(session, await calls.snapshots(session)).map(({ record, epoch }) => ({
    ...toSnapshot(record),
    entries: entriesUpTo(epoch, record.end),
  }))
}

/** In the order they were saved, each with its epoch. */
export function snapshotsOf(
  session: string,
  { snapshots, epochs }: SnapshotList,
): { readonly record: SnapshotRecord; readonly epoch: KeptEpoch }[] {
  const byNumber = new Map(epochs.map((epoch) => [epoch.number, epoch]))
  return [...snapshots]
    .sort((a, b) => a.number - b.number)
    .map((record) => {
      const epoch = byNumber.get(record.epoch)
      if (epoch === undefined) {
        throw new MemoryLostError(session, [], `the path of snapshot ${JSON.stringify(record.id)} is missing`)
      }
      return { record, epoch }
    })
}

/** How many entries an epoch read when `end` was the last seq. What it has of its base was there before it. */
function entriesUpTo(epoch: KeptEpoch, end: number): number {
  const { difference } = epoch
  if (difference === null) return countEntries(closePath(epoch.path, end))
  return difference.entries + countEntries(closePath(difference.own, end))
}

export async function rollbackToSnapshot(
  calls: Calls,
  session: string,
  snapshotId: string,
  options: WriteOptions,
): Promise<RolledBack> {
  const { answer, version, epoch } = await changePath<string>(
    calls,
    session,
    'rollbackToSnapshot',
    { options, content: [snapshotId], want: { snapshot: snapshotId } },
    async ({ snapshot, automatic }) => {
      if (snapshot === null) throw new SnapshotNotFoundError(session, snapshotId)
      const leftBehind = randomUUID()
      const tooMany = Math.max(0, automatic.length + 1 - automaticSnapshotsKept)
      return {
        change: {
          ifSnapshot: { id: snapshotId, number: snapshot.record.number },
          path: {
            cause: 'rollback',
            ...planOnBase(snapshot.record.epoch, closePath(snapshot.path, snapshot.record.end), [['next', null]]),
          },
          putSnapshot: { id: leftBehind, label: null, automatic: true },
          dropSnapshots: automatic.filter((id) => id !== snapshotId).slice(0, tooMany),
        },
        answer: leftBehind,
      }
    },
  )
  return { version, epoch, leftBehind: answer }
}

export async function deleteSnapshot(
  calls: Calls,
  session: string,
  snapshotId: string,
  options: WriteOptions,
): Promise<Written> {
  const { id, digest } = makeOperation('deleteSnapshot', options.operationId, [snapshotId])
  const { version, epoch } = await calls.commit(session, {
    operation: { id, digest },
    ...conditionsOf(options),
    ifSnapshot: { id: snapshotId },
    dropSnapshots: [snapshotId],
  })
  await sweepSlice(calls, session)
  return { version, epoch }
}

export function toSnapshot({ id, label, automatic, at }: SnapshotRecord): Snapshot {
  return { id, label, automatic, at }
}
