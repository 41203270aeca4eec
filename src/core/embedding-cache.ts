import type { Reading, StoredEntry } from './backend.ts'
import type { SessionState } from './session-state.ts'

/** An embedding and the square of its length, which every comparison needs. */
export interface Vector {
  readonly numbers: Float32Array
  readonly square: number
}

/** So many bytes a session and a vector take beside the numbers, roughly. */
const overhead = 256

/** The summaries that are known of one session's log. Entries never change, so nothing of it grows old while the log is the same. */
export class KnownEmbeddings {
  #birth: string | undefined
  #newest: StoredEntry | undefined
  /** Of every summary of the log, ascending. */
  readonly seqs: number[] = []
  /** Of those that were on a path that was read; `null`: it has no embedding. */
  readonly vectors = new Map<number, Vector | null>()
  bytes = overhead

  /** What to read to go on from here: the newest that is known, which tells whether the log is still the same, and all behind it. */
  get after(): number {
    return this.#newest === undefined ? 0 : this.#newest.seq - 1
  }

  /** Takes what was found behind `after`; false if it is another log, as when the session was deleted, or imported again. */
  extend({ birth }: SessionState, { summarySeqs, summaries }: Reading): boolean {
    if (this.#newest !== undefined && !this.#isSame(birth, summaries)) return false
    this.#birth = birth
    const last = this.seqs.at(-1) ?? 0
    for (const seq of summarySeqs) if (seq > last) this.seqs.push(seq)
    const newest = summaries.at(-1)
    if (newest !== undefined) this.#newest = { ...newest, bytes: null }
    return true
  }

  put(seq: number, embedding: Float32Array | undefined): void {
    if (this.vectors.has(seq)) return
    this.vectors.set(seq, embedding ? { numbers: embedding, square: dot(embedding, embedding) } : null)
    this.bytes += overhead + (embedding?.byteLength ?? 0)
  }

  #isSame(birth: string, summaries: readonly StoredEntry[]): boolean {
    const newest = this.#newest
    const again = summaries.find(({ seq }) => seq === newest?.seq)
    return birth === this.#birth && again?.at === newest?.at && again?.body === newest?.body
  }
}

/** Keeps what is known of the sessions that were asked last, up to so many bytes. */
export class EmbeddingCache {
  readonly #limit: number
  readonly #sessions = new Map<string, KnownEmbeddings>()

  constructor(limit = 64 * 2 ** 20) {
    this.#limit = limit
  }

  get(session: string): KnownEmbeddings {
    const known = this.#sessions.get(session) ?? new KnownEmbeddings()
    this.#sessions.delete(session)
    this.#sessions.set(session, known)
    return known
  }

  /** Lets go of those asked longest ago until the rest is within the limit. */
  shrink(): void {
    let bytes = 0
    for (const known of this.#sessions.values()) bytes += known.bytes
    for (const [session, known] of this.#sessions) {
      if (bytes <= this.#limit) return
      this.#sessions.delete(session)
      bytes -= known.bytes
    }
  }

  forget(session: string): void {
    this.#sessions.delete(session)
  }

  clear(): void {
    this.#sessions.clear()
  }
}

/** Of two vectors of as many dimensions. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}
