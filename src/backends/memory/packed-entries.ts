import type { StoredEntry, StoredKind } from '../../core/backend.ts'

/** How many places for entries there are in one. */
export const places = 1024

/** A longer body is kept as it is: there are few of them to a megabyte. */
const longestPacked = 4096

const kinds: readonly StoredKind[] = ['message', 'toolCall', 'summary', 'compaction', 'record']
const missing = 0
const unpacked = 255

/**
 * Entries as one text and a few numbers for each. The garbage collector looks at a handful of objects instead of thousands, and copies none of them
 * while they are young.
 */
export class PackedEntries {
  readonly size: number
  readonly #first: number
  readonly #text: string
  /** By place: where its body ends, when it was appended, its kind counted from 1, its format. */
  readonly #ends = new Uint32Array(places)
  readonly #times = new Float64Array(places)
  readonly #kinds = new Uint8Array(places)
  readonly #formats = new Uint8Array(places)
  readonly #unpacked = new Map<number, StoredEntry>()

  /** `first`: the seq of the first place. A place may be empty. */
  constructor(first: number, entries: readonly (StoredEntry | undefined)[]) {
    this.#first = first
    const bodies: string[] = []
    let size = 0
    let end = 0
    for (let place = 0; place < places; place++) {
      const entry = entries[place]
      if (entry !== undefined) {
        size += 1
        if (isPacked(entry)) {
          bodies.push(entry.body)
          end += entry.body.length
          this.#times[place] = entry.at
          this.#kinds[place] = kinds.indexOf(entry.kind) + 1
          this.#formats[place] = entry.format
        } else {
          this.#unpacked.set(place, entry)
          this.#kinds[place] = unpacked
        }
      }
      this.#ends[place] = end
    }
    this.size = size
    this.#text = bodies.join('')
  }

  has(place: number): boolean {
    return this.#kinds[place] !== missing
  }

  get(place: number): StoredEntry | undefined {
    const kind = this.#kinds[place] ?? missing
    if (kind === missing) return undefined
    if (kind === unpacked) return this.#unpacked.get(place)
    const body = this.#text.slice(place === 0 ? 0 : this.#ends[place - 1], this.#ends[place])
    return {
      kind: kinds[kind - 1] as StoredKind,
      format: this.#formats[place] as number,
      body,
      bytes: null,
      seq: this.#first + place,
      at: this.#times[place] as number,
    }
  }
}

function isPacked({ format, body, bytes }: StoredEntry): boolean {
  return bytes === null && body.length <= longestPacked && Number.isInteger(format) && format >= 0 && format < 256
}
