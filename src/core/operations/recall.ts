import type { StoredEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { dot, type EmbeddingCache, type KnownEmbeddings, type Vector } from '../embedding-cache.ts'
import type { SummaryEntry } from '../entries.ts'
import { DimensionMismatchError } from '../errors.ts'
import { makeGiveWay } from '../give-way.ts'
import { rangesOf, selectSeqs } from '../path.ts'
import { PathReader } from '../path-reader.ts'
import type { Recalled, RecallOptions } from '../types.ts'
import { requireReached } from './read.ts'

const comparisonsPerTurn = 256

/** The k summaries nearest to the query, nearest first, among those on the path that have an embedding. */
export async function recall(
  calls: Calls,
  cache: EmbeddingCache,
  session: string,
  query: Float32Array,
  options: RecallOptions,
): Promise<Recalled[]> {
  const { k = 5, at, atLeast } = options
  const known = cache.get(session)
  const found = await PathReader.use(calls, session, { at, summariesAfter: known.after }, async (reader) => {
    requireReached(session, reader.state, atLeast)
    if (reader.state === null) return []
    if (!known.isOf(reader.state)) return null
    for await (const slice of reader.summarySlices()) {
      known.extend(slice)
      learn(reader, known, slice.onPath)
    }
    const wanted = selectSeqs(reader.ranges, known.seqs)
    const unknown = wanted.filter((seq) => !known.vectors.has(seq))
    for await (const stored of reader.slices(rangesOf(unknown))) learn(reader, known, stored)
    const nearest = await findNearest(session, query, known, wanted, k)
    const entries = await reader.entries(rangesOf(nearest.map(({ seq }) => seq)))
    return nearest.map((scored, index) => ({ ...scored, summary: (entries[index] as SummaryEntry).summary }))
  })
  if (found !== null) {
    cache.shrink()
    return found
  }
  cache.forget(session)
  return recall(calls, cache, session, query, options)
}

function learn(reader: PathReader, known: KnownEmbeddings, stored: readonly StoredEntry[]): void {
  for (const { seq, summary } of reader.decode(stored) as SummaryEntry[]) known.put(seq, summary.embedding)
}

interface Scored {
  readonly seq: number
  readonly score: number
}

async function findNearest(
  session: string,
  query: Float32Array,
  { vectors }: KnownEmbeddings,
  wanted: readonly number[],
  k: number,
): Promise<Scored[]> {
  const asked: Vector = { numbers: query, square: dot(query, query) }
  let best: Scored[] = []
  let least = Number.NEGATIVE_INFINITY
  const shorten = () => {
    best = best.sort((a, b) => b.score - a.score || a.seq - b.seq).slice(0, k)
    if (best.length === k) least = best.at(-1)?.score ?? least
  }
  const giveWay = makeGiveWay()
  for (const [index, seq] of wanted.entries()) {
    if (index % comparisonsPerTurn === 0) await giveWay()
    const vector = vectors.get(seq)
    if (!vector) continue
    if (vector.numbers.length !== query.length) {
      throw new DimensionMismatchError(session, seq, vector.numbers.length, query.length)
    }
    const score = cosine(asked, vector)
    if (score < least) continue
    best.push({ seq, score })
    if (best.length >= 2 * k) shorten()
  }
  shorten()
  return best
}

function cosine(a: Vector, b: Vector): number {
  if (a.square === 0 || b.square === 0) return 0
  return Math.max(-1, Math.min(1, dot(a.numbers, b.numbers) / Math.sqrt(a.square * b.square)))
}
