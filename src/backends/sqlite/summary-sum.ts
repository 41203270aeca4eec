import type { Queries } from './queries.ts'

const bound = 2 ** 32

/** Of the seqs of all summaries of a session, in 32 bits, so that one that vanishes from the list is missed. */
export function sumOfSummaries(connection: Queries, session: number): number {
  const sql = `SELECT coalesce(sum(seq % ${bound}) % ${bound}, 0) FROM summaries WHERE session = ?`
  return connection.column<number>(sql, session)[0] ?? 0
}

export function addSeq(sum: number, seq: number): number {
  return (sum + (seq % bound)) % bound
}

export function subtractSeq(sum: number, seq: number): number {
  return (sum + bound - (seq % bound)) % bound
}
