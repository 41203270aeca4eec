import type { StoredEntry } from '../../core/backend.ts'
import type { ClosedRange } from '../../core/path.ts'
import { PackedEntries, places } from './packed-entries.ts'

/** The entries of one session, or of a copy, in chunks. The chunk that was written last is open; the others are packed. */
export class EntryLog {
  /** How many entries there are. */
  size = 0
  readonly #packed = new Map<number, PackedEntries>()
  #index = 0
  /** By place; a place may be empty. */
  #open: (StoredEntry | undefined)[] = []

  get(seq: number): StoredEntry | undefined {
    const index = indexOf(seq)
    const place = placeOf(seq)
    return index === this.#index ? this.#open[place] : this.#packed.get(index)?.get(place)
  }

  /** One that is not there yet. */
  put(entry: StoredEntry): void {
    const { seq } = entry
    if (indexOf(seq) !== this.#index) this.#openChunk(indexOf(seq))
    const place = placeOf(seq)
    while (this.#open.length < place) this.#open.push(undefined)
    this.#open[place] = entry
    this.size += 1
  }

  has(seq: number): boolean {
    const index = indexOf(seq)
    if (index === this.#index) return this.#open[placeOf(seq)] !== undefined
    return this.#packed.get(index)?.has(placeOf(seq)) ?? false
  }

  /** Everything, a chunk at a time, ascending. What is written or dropped in between may be missing. */
  *chunks(): Generator<StoredEntry[]> {
    for (const index of this.#indexes()) yield this.#entriesOf(index).filter((entry) => entry !== undefined)
  }

  /** Removes what is in the ascending ranges, a chunk at a time. Yields how many were removed. */
  *drop(ranges: readonly ClosedRange[]): Generator<number> {
    let next = 0
    for (const index of this.#indexes()) {
      const first = firstOf(index)
      const last = first + places - 1
      while ((ranges[next]?.[1] ?? last) < first) next += 1
      const touching: ClosedRange[] = []
      for (let at = next; (ranges[at]?.[0] ?? Number.POSITIVE_INFINITY) <= last; at++) {
        touching.push(ranges[at] as ClosedRange)
      }
      if (touching.length > 0) yield this.#dropFrom(index, touching)
    }
  }

  #dropFrom(index: number, ranges: readonly ClosedRange[]): number {
    const entries = this.#entriesOf(index)
    let dropped = 0
    for (const [from, to] of ranges) {
      const end = Math.min(to - firstOf(index) + 1, entries.length)
      for (let place = Math.max(0, from - firstOf(index)); place < end; place++) {
        if (entries[place] !== undefined) dropped += 1
        entries[place] = undefined
      }
    }
    this.size -= dropped
    if (index === this.#index) this.#open = entries
    else if (dropped > 0) this.#pack(index, entries)
    return dropped
  }

  #openChunk(index: number): void {
    this.#pack(this.#index, this.#open)
    this.#open = this.#entriesOf(index)
    this.#packed.delete(index)
    this.#index = index
  }

  #pack(index: number, entries: readonly (StoredEntry | undefined)[]): void {
    const packed = new PackedEntries(firstOf(index), entries)
    if (packed.size > 0) this.#packed.set(index, packed)
    else this.#packed.delete(index)
  }

  #entriesOf(index: number): (StoredEntry | undefined)[] {
    if (index === this.#index) return this.#open
    const packed = this.#packed.get(index)
    return packed === undefined ? [] : Array.from({ length: places }, (_, place) => packed.get(place))
  }

  #indexes(): number[] {
    return [...this.#packed.keys(), this.#index].sort((a, b) => a - b)
  }
}

function indexOf(seq: number): number {
  return Math.floor((seq - 1) / places)
}

function placeOf(seq: number): number {
  return (seq - 1) % places
}

function firstOf(index: number): number {
  return index * places + 1
}
