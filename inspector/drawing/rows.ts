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
  /** The place on the log where it began, or where a trim cut; `null` for the first epoch. */
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
  paths: SessionPaths,
  stations: readonly Station[],
  epoch: PathEpoch,
  next: PathEpoch | undefined,
): EpochRow {
  const own = stations.filter((station) => station.epoch === epoch.number)
  const { began, summary } = beginningOf(paths, epoch)
  const known = epoch.present ? paths.end : Math.max(summary ?? began ?? 0, ...own.map(({ last }) => last))
  const left = epoch.present || next?.number !== epoch.number + 1 ? null : beginningOf(paths, next).began
  return {
    kind: 'epoch',
    epoch,
    ranges: closePath(epoch.ranges, known),
    until: left !== null && left > known ? left : null,
    began,
    summary,
    stations: own,
    source: epoch.cause === 'rollback' ? sourceOf(epoch, stations, began ?? 0) : null,
  }
}

/**
 * Where the log ended when an epoch began. Its path says so by its open range, unless that has grown together with
 * the range before it; then a snapshot from before it tells.
 */
function beginningOf({ snapshots }: SessionPaths, epoch: PathEpoch): Pick<EpochRow, 'began' | 'summary'> {
  const { ranges, cause, number } = epoch
  if (cause === 'begin' || number === 1) return { began: null, summary: null }
  const open = ranges.at(-1)?.[0] ?? 1
  if (cause === 'compact') {
    const summary = ranges.some(([from, to]) => from === open - 1 && to === open - 1) ? open - 1 : open
    return { began: summary - 1, summary }
  }
  if (cause === 'trim') return { began: open - 1, summary: null }
  const earlier = snapshots.filter((snapshot) => snapshot.epoch < number).map(({ end }) => end)
  return { began: Math.max(open - 1, ...earlier), summary: null }
}

function sourceOf(epoch: PathEpoch, stations: readonly Station[], began: number): Station | null {
  const brought = JSON.stringify(closePath(epoch.ranges, began))
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
