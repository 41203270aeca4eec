import type { EncodedEntry } from './backend.ts'
import type { Summary } from './entries.ts'
import { type ClosedRange, joinRanges } from './path.ts'
import { jsonOf, sealEntry } from './seal-entry.ts'

/** Translates the seqs of a path into those of its copy, which is numbered from 1. What is not on the path has none. */
export class CopiedSeqs {
  readonly #pieces: readonly { readonly from: number; readonly to: number; readonly moved: number }[]

  constructor(ranges: readonly ClosedRange[]) {
    let next = 1
    const pieces = ranges.map(([from, to]) => {
      const piece = { from, to, moved: next - from }
      next += to - from + 1
      return piece
    })
    this.#pieces = pieces.sort((a, b) => a.from - b.from)
  }

  /** The same summary, with `covers` in the numbers of the copy. It must be known to be intact. */
  mapSummary(entry: EncodedEntry): EncodedEntry {
    const summary = JSON.parse(jsonOf(entry)) as Summary
    if (summary.covers === undefined) return entry
    summary.covers = this.map(summary.covers)
    return sealEntry(entry.kind, JSON.stringify(summary), entry.bytes)
  }

  /** Ascending. */
  map(covers: readonly ClosedRange[]): ClosedRange[] {
    const mapped = covers.flatMap(([from, to]) => this.#mapRange(from, to))
    return joinRanges(mapped.sort((a, b) => a[0] - b[0]))
  }

  #mapRange(from: number, to: number): ClosedRange[] {
    const mapped: ClosedRange[] = []
    for (let index = this.#firstEndingFrom(from); index < this.#pieces.length; index++) {
      const piece = this.#pieces[index]
      if (piece === undefined || piece.from > to) break
      mapped.push([Math.max(from, piece.from) + piece.moved, Math.min(to, piece.to) + piece.moved])
    }
    return mapped
  }

  /** The index of the first piece that ends at `seq` or later. */
  #firstEndingFrom(seq: number): number {
    let low = 0
    let high = this.#pieces.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#pieces[middle]?.to ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
