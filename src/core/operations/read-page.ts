import type { Entry } from '../entries.ts'
import { SeqNotFoundError } from '../errors.ts'
import { makeGiveWay } from '../give-way.ts'
import { type ClosedRange, splitAfter, splitBefore } from '../path.ts'
import type { PathReader } from '../path-reader.ts'
import { slice } from '../slice.ts'
import type { PageOptions, ReadOptions } from '../types.ts'

/** The first read: the end of the path, unless the page is elsewhere. */
export function pageWant({ at, first, last, before, after }: ReadOptions & PageOptions) {
  const isElsewhere = first !== undefined || before !== undefined || after !== undefined
  return isElsewhere ? { at } : { at, last: last ?? Number.MAX_SAFE_INTEGER }
}

/** The wanted entries of a page; keeps reading until it has enough of them. */
export async function readPage(
  reader: PathReader,
  session: string,
  page: PageOptions,
  isWanted: (entry: Entry) => boolean,
): Promise<Entry[]> {
  const { first, last } = page
  const fromEnd = last !== undefined
  const limit = first ?? last ?? Number.POSITIVE_INFINITY
  const ranges = rangesOfPage(reader, session, page)
  const parts: Entry[][] = []
  let missing = limit
  if (missing === 0) return []
  for await (const stored of reader.slices(ranges, { fromEnd, size: Math.min(limit, slice.entries) })) {
    const wanted = reader.decode(stored).filter(isWanted)
    parts.push(fromEnd ? wanted.slice(-missing) : wanted.slice(0, missing))
    missing -= wanted.length
    if (missing <= 0) break
  }
  return joined(fromEnd ? parts.reverse() : parts)
}

function rangesOfPage({ ranges }: PathReader, session: string, { before, after }: PageOptions): readonly ClosedRange[] {
  const seq = before ?? after
  if (seq === undefined) return ranges
  const found = before === undefined ? splitAfter(ranges, seq)?.[1] : splitBefore(ranges, seq)?.[0]
  if (found === undefined) throw new SeqNotFoundError(session, seq)
  return found
}

/** Yields to the event loop, however many there are. */
async function joined(parts: readonly Entry[][]): Promise<Entry[]> {
  const entries: Entry[] = []
  const giveWay = makeGiveWay()
  for (const part of parts) {
    for (const entry of part) entries.push(entry)
    await giveWay()
  }
  return entries
}
