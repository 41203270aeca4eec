import type { StoredEntry, StoredKind } from '../../core/backend.ts'

/** How many places for entries there are in one. Few enough that entries which wait to be packed die young. */
export const places = 128

/** A longer body is kept as it is: there are few of them to a megabyte. */
const longestPacked = 4096

const kinds: readonly StoredKind[] = ['message', 'toolCall', 'summary', 'compaction', 'record']
const formats = 256

/** What there is instead of a kind and a format. */
const missing = 0
const unpacked = -1

/** For each place: where its body ends, when it was appended, its kind and format. */
const numbers = 3

/**
 * Entries as one text and three numbers for each. The garbage collector looks at a handful of objects instead of thousands, and copies few of them
 * while they are young.
 */
export class PackedEntries {
  readonly size: number
  readonly #first: number
  readonly #text: string
  readonly #numbers = new Float64Array(numbers * places)
  #unpacked: Map<number, StoredEntry> | undefined

  /** `first`: the seq of the first place. A place may be empty. */
  constructor(first: number, entries: readonly (StoredEntry | undefined)[]) {
    this.#first = first
    const bodies: string[] = []
    let size = 0
    let end = 0
    for (let place = 0; place < places; place++) {
      const entry = entries[place]
      let type = missing
      if (entry !== undefined) {
        size += 1
        type = typeOf(entry)
        if (type === unpacked) this.#keep(place, entry)
        else {
          bodies.push(entry.body)
          end += entry.body.length
        }
      }
      this.#numbers[numbers * place] = end
      this.#numbers[numbers * place + 1] = entry?.at ?? 0
      this.#numbers[numbers * place + 2] = type
    }
    this.size = size
    this.#text = bodies.join('')
  }

  has(place: number): boolean {
    return this.#numbers[numbers * place + 2] !== missing
  }

  get(place: number): StoredEntry | undefined {
    const at = numbers * place
    const type = this.#numbers[at + 2] ?? missing
    if (type === missing) return undefined
    if (type === unpacked) return this.#unpacked?.get(place)
    const body = this.#text.slice(place === 0 ? 0 : this.#numbers[at - numbers], this.#numbers[at])
    return {
      kind: kinds[Math.floor(type / formats) - 1] as StoredKind,
      format: type % formats,
      body,
      bytes: null,
      seq: this.#first + place,
      at: this.#numbers[at + 1] as number,
    }
  }

  #keep(place: number, entry: StoredEntry): void {
    this.#unpacked ??= new Map()
    this.#unpacked.set(place, entry)
  }
}

function typeOf({ kind, format, body, bytes }: StoredEntry): number {
  const isPlain = bytes === null && body.length <= longestPacked && format >= 0 && format < formats
  return isPlain && Number.isInteger(format) ? (kinds.indexOf(kind) + 1) * formats + format : unpacked
}
