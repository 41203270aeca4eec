import type { EpochCause, EpochRecord, KeptEpoch } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { type Path, pathOnBase } from '../../core/path.ts'
import { pathFromText, pathToText } from '../../core/path-text.ts'

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
  const paths = new Map<number, Path>()
  const ascending = [...rows].sort(([a], [b]) => a - b)
  return ascending.map(([number, row]) => {
    const [whole = '-', cause = '-', at = '-', base, entries, own] = row.split(' ')
    const path =
      whole === '-' ? putTogether(session, paths.get(Number(base)), entries, own) : pathFromText(session, whole)
    paths.set(number, path)
    return {
      number,
      path,
      cause: cause === '-' ? null : (cause as EpochCause),
      at: at === '-' ? null : Number(at),
      base: base === undefined ? null : Number(base),
    }
  })
}

function putTogether(
  session: string,
  base: Path | undefined,
  entries: string | undefined,
  own: string | undefined,
): Path {
  if (base === undefined || entries === undefined || own === undefined) {
    throw new MemoryLostError(session, [], 'an epoch is missing that another path builds on')
  }
  return pathOnBase(base, Number(entries), pathFromText(session, own))
}
