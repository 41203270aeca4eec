import type { SnapshotList } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { MemoryLostError } from '../errors.ts'
import { epochOf, versionOf } from '../session-state.ts'
import type { SessionPaths } from '../types.ts'
import { snapshotsOf, toSnapshot } from './snapshots.ts'

/** Resolves to `null` if there is no such session. */
export async function paths(calls: Calls, session: string): Promise<SessionPaths | null> {
  const list = await calls.snapshots(session)
  const { state } = list
  if (state === null) return null
  const epochs = epochsOf(list, state.epoch)
  if (!epochs.some(({ present }) => present)) throw new MemoryLostError(session, [], 'its path is missing')
  return {
    version: versionOf(state),
    epoch: epochOf(state),
    end: state.end,
    epochs,
    snapshots: snapshotsOf(session, list).map(({ record }) => ({
      ...toSnapshot(record),
      epoch: record.epoch,
      end: record.end,
    })),
  }
}

function epochsOf({ epochs }: SnapshotList, present: number): SessionPaths['epochs'] {
  return [...epochs]
    .sort((a, b) => a.number - b.number)
    .map(({ number, cause, at, path }) => ({
      number,
      cause,
      at,
      ranges: path.map(([from, to]) => [from, to] as const),
      present: number === present,
    }))
}
