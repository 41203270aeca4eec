import type { Entry } from '../entries.ts'
import { SeqNotFoundError } from '../errors.ts'
import { makeGiveWay } from '../give-way.ts'
import { type ClosedRange, nearestSeqs, splitAfter, splitBefore, splitHead, splitTail } from '../path.ts'
import type { PathReader } from '../path-reader.ts'
import { slice } from '../slice.ts'
import type { PageOptions, ReadOptions } from '../types.ts'

/** The first read: the page, or as much of it as fits into a slice. Without a page, the end of the path. */
export function pageWant(options: ReadOptions & PageOptions, filter: Filter) {
  const { at, first, last, before, after } = options
  const count = countToRead(options, filter)
  if (count === 0) return { at }
  const isFromFront = first !== undefined || (last === undefined && (before ?? after) !== undefined)
  return {
    at,
    ...(isFromFront ? { first: count } : { last: count }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

/** Which entries to return; `null` for all. */
type Filter = ((entry: Entry) => boolean) | null

/** 50 % more if some kinds are not wanted: those may lie in between. */
function countToRead({ first, last }: PageOptions, filter: Filter): number {
  const limit = first ?? last ?? Number.POSITIVE_INFINITY
  return Math.min(filter === null ? limit : limit + Math.ceil(limit / 2), slice.entries)
}

/** The requested entries of a page; keeps reading until it has enough. */
export async function readPage(
  reader: PathReader,
  session: string,
  page: PageOptions,
  filter: Filter,
): Promise<Entry[]> {
  const { first, last } = page
  const fromEnd = last !== undefined
  const found = rangesOfPage(reader, session, page)
  const ranges = filter === null ? cutToPage(found, page) : found
  const parts: Entry[][] = []
  let missing = first ?? last ?? Number.POSITIVE_INFINITY
  if (missing === 0) return []
  for await (const stored of reader.slices(ranges, { fromEnd, size: countToRead(page, filter) })) {
    for (let done = 0; done < stored.length && missing > 0; ) {
      const size = Math.min(missing, stored.length - done)
      const start = fromEnd ? stored.length - done - size : done
      const decoded = reader.decode(stored.slice(start, start + size))
      const wanted = filter === null ? decoded : decoded.filter(filter)
      parts.push(wanted)
      missing -= wanted.length
      done += size
    }
    if (missing === 0) break
  }
  return joined(fromEnd ? parts.reverse() : parts)
}

function rangesOfPage({ ranges }: PathReader, session: string, { before, after }: PageOptions): readonly ClosedRange[] {
  const seq = before ?? after
  if (seq === undefined) return ranges
  const found = before === undefined ? splitAfter(ranges, seq)?.[1] : splitBefore(ranges, seq)?.[0]
  if (found === undefined) throw new SeqNotFoundError(session, seq, nearestSeqs(ranges, seq))
  return found
}

/** If every entry is wanted, losses outside of the page do not concern it. */
function cutToPage(ranges: readonly ClosedRange[], { first, last }: PageOptions): readonly ClosedRange[] {
  if (first !== undefined) return splitHead(ranges, first)[0]
  return last === undefined ? ranges : splitTail(ranges, last)[1]
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
