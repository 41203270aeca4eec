import { type ClosedRange, closePath, countEntries } from '../../src/core/path.ts'
import type { PathEpoch, SessionPaths } from '../../src/core/types.ts'

/** A state of the session that can be looked at: a snapshot, or now. */
export interface Station {
  /** The id of the snapshot; `null` for now. */
  readonly id: string | null
  readonly label: string
  readonly kind: 'now' | 'saved' | 'automatic'
  readonly epoch: number
  readonly at: number | null
  /** What it reads, in order. */
  readonly ranges: readonly ClosedRange[]
  readonly entries: number
  /** The last entry that it reads; 0 if it reads none. */
  readonly last: number
}

/** The snapshots in the order they were saved, and now at the end. */
export function stationsOf({ epochs, snapshots, end }: SessionPaths): Station[] {
  const byNumber = new Map(epochs.map((epoch) => [epoch.number, epoch]))
  const stations = snapshots.flatMap(({ id, label, automatic, at, epoch, end: last }) => {
    const read = byNumber.get(epoch)
    if (read === undefined) return []
    const kind = automatic ? 'automatic' : 'saved'
    return [makeStation({ id, label: label || (automatic ? 'left by a rollback' : id), kind, at }, read, last)]
  })
  const present = epochs.find((epoch) => epoch.present)
  if (present !== undefined) stations.push(makeStation({ id: null, label: 'now', kind: 'now', at: null }, present, end))
  return stations
}

function makeStation(
  named: Pick<Station, 'id' | 'label' | 'kind' | 'at'>,
  { number, ranges }: PathEpoch,
  end: number,
): Station {
  const read = closePath(ranges, end)
  return { ...named, epoch: number, ranges: read, entries: countEntries(read), last: read.at(-1)?.[1] ?? 0 }
}

/** The station that a route names. */
export function findStation(stations: readonly Station[], id: string | null): Station | undefined {
  return stations.find((station) => station.id === (id === '' ? null : id))
}
