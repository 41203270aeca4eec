import type { EpochCause, EpochRecord, KeptEpoch } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { pathFromText, pathToText } from '../../core/path-text.ts'
import { type StoredEpoch, StoredEpochs } from '../../core/stored-epochs.ts'

/**
 * An epoch is stored as its path, cause and time, then what it is a difference from, if anything: the number of an earlier epoch, how many of its entries it
 * begins with, and the path of the others. `-` is none: a path that is not the present one anymore and can be put together; no cause and no time, which 0.1
 * left out.
 */
export function epochToText({ path, cause, at }: EpochRecord): string {
  return `${pathToText(path)} ${cause ?? '-'} ${at ?? '-'}`
}

/** All epochs of the rows by their numbers, ascending. An epoch whose base is not among them is lost. */
export function epochsFromText(session: string, rows: ReadonlyMap<number, string>): KeptEpoch[] {
  const stored = new StoredEpochs(
    session,
    [...rows].map(([number, row]) => epochFromText(session, number, row)),
  )
  if (stored.lost.length > 0) {
    throw new MemoryLostError(session, [], 'the epoch that another path is based on is missing')
  }
  return stored.all
}

function epochFromText(session: string, number: number, row: string): StoredEpoch {
  const [whole = '-', cause = '-', at = '-', base, entries, own] = row.split(' ')
  return {
    number,
    path: whole === '-' ? null : pathFromText(session, whole),
    cause: cause === '-' ? null : (cause as EpochCause),
    at: at === '-' ? null : Number(at),
    base: base === undefined ? null : Number(base),
    difference: own === undefined ? null : { entries: Number(entries), own: pathFromText(session, own) },
  }
}
