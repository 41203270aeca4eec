const dimensions = 384

/** Numbers between -1 and 1 that are the same in every run. */
export function makeVectors(count: number, seed: number): Float32Array[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next))
}

/** The bare loop, with the length of each vector known beforehand. */
export class BareVectors {
  readonly #vectors: readonly Float32Array[]
  readonly #lengths: readonly number[]

  constructor(vectors: readonly Float32Array[]) {
    this.#vectors = vectors
    this.#lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)))
  }

  /** The indices of the nearest by cosine similarity, nearest first. */
  nearest(query: Float32Array, count: number): number[] {
    const found: { index: number; score: number }[] = []
    let least = Number.NEGATIVE_INFINITY
    for (const [index, vector] of this.#vectors.entries()) {
      const score = dot(query, vector) / (this.#lengths[index] ?? 1)
      if (score <= least) continue
      found.push({ index, score })
      found.sort((a, b) => b.score - a.score)
      if (found.length > count) found.pop()
      if (found.length === count) least = found.at(-1)?.score ?? least
    }
    return found.map(({ index }) => index)
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let place = 0; place < a.length; place++) sum += (a[place] as number) * (b[place] as number)
  return sum
}
