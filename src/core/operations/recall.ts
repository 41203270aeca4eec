import type { Calls } from '../calls.ts'
import type { SummaryEntry } from '../entries.ts'
import { DimensionMismatchError } from '../errors.ts'
import { PathReader } from '../path-reader.ts'
import type { Recalled, RecallOptions } from '../types.ts'
import { requireReached } from './read.ts'

/** The k summaries nearest to the query, nearest first, of all that the path reads and that have an embedding. */
export async function recall(
  calls: Calls,
  session: string,
  query: Float32Array,
  { k = 5, at, atLeast }: RecallOptions,
): Promise<Recalled[]> {
  return PathReader.use(calls, session, { at, summariesAfter: 0 }, async (reader) => {
    requireReached(session, reader.state, atLeast)
    const scored: Recalled[] = []
    for (const { seq, summary } of reader.decode(await reader.summaries()) as SummaryEntry[]) {
      if (summary.embedding === undefined) continue
      if (summary.embedding.length !== query.length) {
        throw new DimensionMismatchError(session, seq, summary.embedding.length, query.length)
      }
      scored.push({ seq, score: cosine(query, summary.embedding), summary })
    }
    return scored.sort((a, b) => b.score - a.score || a.seq - b.seq).slice(0, k)
  })
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let aa = 0
  let bb = 0
  for (let index = 0; index < a.length; index++) {
    const x = a[index] as number
    const y = b[index] as number
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : Math.max(-1, Math.min(1, dot / Math.sqrt(aa * bb)))
}
