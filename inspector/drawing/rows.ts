import { type ClosedRange, closePath } from '../../src/core/path.ts'
import type { PathEpoch, SessionPaths } from '../../src/core/types.ts'
import type { Station } from './stations.ts'

/** An epoch as a line over the ranges it reads. */
export interface EpochRow {
  readonly kind: 'epoch'
  readonly epoch: PathEpoch
  /** What it surely read: up to the last station on it, or to the end if it is the present one. */
  readonly ranges: readonly ClosedRange[]
  /** Where the line was cut off, if more was appended than any station reads; swept entries may be among it. */
  readonly until: number | null
  /** The place on the log where it began; `null` for the first epoch. */
  readonly began: number | null
  /** The seq of the summary that a compaction put in place of turns. */
  readonly summary: number | null
  readonly stations: readonly Station[]
  /** The station whose state it brought back, if that is still there. */
  readonly source: Station | null
}

/** Epochs that a sweep removed. */
export interface GapRow {
  readonly kind: 'gap'
  readonly from: number
  readonly to: number
}

export type Row = EpochRow | GapRow

export function rowsOf(paths: SessionPaths, stations: readonly Station[]): Row[] {
  const rows: Row[] = []
  let expected = 1
  for (const [index, epoch] of paths.epochs.entries()) {
    if (epoch.number > expected) rows.push({ kind: 'gap', from: expected, to: epoch.number - 1 })
    expected = epoch.number + 1
    rows.push(epochRow(paths, stations, epoch, paths.epochs[index + 1]))
  }
  return rows
}

function epochRow(
  { end }: SessionPaths,
  stations: readonly Station[],
  epoch: PathEpoch,
  next: PathEpoch | undefined,
): EpochRow {
  const own = stations.filter((station) => station.epoch === epoch.number)
  const open = openStart(epoch)
  const known = epoch.present ? end : Math.max(open - 1, ...own.map(({ last }) => last))
  const left = epoch.present || next?.number !== epoch.number + 1 ? null : endBefore(next)
  const isFirst = epoch.cause === 'begin' || (epoch.cause === null && epoch.number === 1)
  return {
    kind: 'epoch',
    epoch,
    ranges: closePath(epoch.ranges, known),
    until: left !== null && left > known ? left : null,
    began: isFirst ? null : epoch.cause === 'compact' ? open - 2 : open - 1,
    summary: epoch.cause === 'compact' ? open - 1 : null,
    stations: own,
    source: epoch.cause === 'rollback' ? sourceOf(epoch, stations) : null,
  }
}

function openStart({ ranges }: PathEpoch): number {
  return ranges.at(-1)?.[0] ?? 1
}

/** The end of the log when an epoch began. A compaction appends its summary first. */
function endBefore(epoch: PathEpoch): number {
  return openStart(epoch) - (epoch.cause === 'compact' ? 2 : 1)
}

function sourceOf(epoch: PathEpoch, stations: readonly Station[]): Station | null {
  const brought = JSON.stringify(closePath(epoch.ranges, openStart(epoch) - 1))
  const earlier = stations.filter((station) => station.kind !== 'now' && station.epoch < epoch.number)
  const same = earlier.filter(({ ranges }) => JSON.stringify(ranges) === brought)
  return same.find(({ kind }) => kind === 'saved') ?? same.at(-1) ?? null
}

/** Every place on the log that the rows mark. */
export function placesOf(rows: readonly Row[], end: number): number[] {
  return rows.flatMap((row) =>
    row.kind === 'gap'
      ? []
      : [
          end,
          ...row.ranges.flatMap(([from, to]) => [from - 1, to]),
          ...row.stations.map(({ last }) => last),
          ...[row.until, row.began, row.summary].filter((place) => place !== null),
        ],
  )
}
