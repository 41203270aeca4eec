import type { SummarySlice } from './path-reader.ts'
import type { SessionState } from './session-state.ts'

/** An embedding and the square of its length, which every comparison needs. */
export interface Vector {
  readonly numbers: Float32Array
  readonly square: number
}

/** Of a session, and of a vector without its numbers. */
const approximateOverheadBytes = 256

/** The summaries that are known of one session's log. Entries never change, so nothing of it grows old while the log is the same. */
export class KnownEmbeddings {
  #log: string | undefined
  /** Of every summary of the log, ascending. */
  readonly seqs: number[] = []
  /** Of those that were on a path that was read; `null`: it has no embedding. */
  readonly vectors = new Map<number, Vector | null>()
  bytes = approximateOverheadBytes

  /** The newest that is known: what comes after it is to be read. */
  get after(): number {
    return this.seqs.at(-1) ?? 0
  }

  /** Whether it is still the same log; it is another one after the session was deleted, or imported again. */
  isOf({ log }: SessionState): boolean {
    this.#log ??= log
    return this.#log === log
  }

  /** Takes what was found after `after`. */
  extend({ seqs }: SummarySlice): void {
    const { after } = this
    for (const seq of seqs) if (seq > after) this.seqs.push(seq)
  }

  put(seq: number, embedding: Float32Array | undefined): void {
    if (this.vectors.has(seq)) return
    this.vectors.set(seq, embedding ? { numbers: embedding, square: dot(embedding, embedding) } : null)
    this.bytes += approximateOverheadBytes + (embedding?.byteLength ?? 0)
  }
}

/** Keeps what is known of the sessions that were asked last, up to a limit in bytes. */
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
