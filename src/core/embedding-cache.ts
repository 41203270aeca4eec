import type { SessionState } from './session-state.ts'

/** An embedding and the square of its length, which every comparison needs. */
export interface Vector {
  readonly numbers: Float32Array
  readonly square: number
}

/** So many bytes a vector, a seq and a session take beside the numbers, roughly. */
const overhead = 256

/** The summaries that are known of one session. Entries never change and seqs are never reused, so none of it grows old. */
export class KnownEmbeddings {
  #birth: string | undefined
  /** Every summary up to this seq is known by its seq. */
  through = 0
  /** Ascending. */
  readonly seqs: number[] = []
  /** Those that were on a path that was read; `null`: it has no embedding. */
  readonly vectors = new Map<number, Vector | null>()
  bytes = overhead

  /** Takes the seqs that were found behind `through`; false if they are of another session of the same id. */
  extend(state: SessionState, seqs: readonly number[]): boolean {
    this.#birth ??= state.birth
    if (this.#birth !== state.birth) return false
    for (const seq of seqs) if (seq > this.through) this.seqs.push(seq)
    this.through = Math.max(this.through, state.end)
    return true
  }

  put(seq: number, embedding: Float32Array | undefined): void {
    if (this.vectors.has(seq)) return
    this.vectors.set(seq, embedding ? { numbers: embedding, square: dot(embedding, embedding) } : null)
    this.bytes += overhead + (embedding?.byteLength ?? 0)
  }
}

/** Keeps what was decoded of the sessions that were asked last, up to so many bytes. */
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
