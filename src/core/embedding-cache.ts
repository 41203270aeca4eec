import type { SummarySlice } from './path-reader.ts'
import type { SessionState } from './session-state.ts'

/** An embedding and the square of its length, which every comparison needs. */
export interface Vector {
  readonly numbers: Float32Array
  readonly square: number
}

/** Rough size of a session or a vector in addition to its numbers. */
const overheadBytes = 256

/** The known summaries of one session's log. Entries never change, so it stays valid while the log is the same. */
export class KnownEmbeddings {
  #log: string | undefined
  /** The seqs of every summary of the log, ascending. */
  readonly seqs: number[] = []
  /** For summaries on a path that was read; `null`: no embedding. */
  readonly vectors = new Map<number, Vector | null>()
  bytes = overheadBytes

  /** The newest known summary: later ones still have to be read. */
  get after(): number {
    return this.seqs.at(-1) ?? 0
  }

  /** Whether it is still the same log; it is not after the session was deleted or imported again. */
  isOf({ log }: SessionState): boolean {
    this.#log ??= log
    return this.#log === log
  }

  /** Adds what was found after `after`. */
  extend({ seqs }: SummarySlice): void {
    const { after } = this
    for (const seq of seqs) if (seq > after) this.seqs.push(seq)
  }

  put(seq: number, embedding: Float32Array | undefined): void {
    if (this.vectors.has(seq)) return
    this.vectors.set(seq, embedding ? { numbers: embedding, square: dot(embedding, embedding) } : null)
    this.bytes += overheadBytes + (embedding?.byteLength ?? 0)
  }
}

/** Keeps the summaries of the most recently used sessions, up to a limit in bytes. */
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

  /** Evicts the least recently used until the rest is within the limit. */
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

/** The vectors must have the same dimensions. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}
