import type { EpochCause, KeptEpoch } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { closePath, joinRanges, type Path, type Range, splitHead } from '../../core/path.ts'
import { pathFromText } from '../../core/path-text.ts'
import { isLost } from '../../core/recognize-error.ts'
import type { PartRow } from './part-row.ts'

interface EpochRow {
  readonly number: number
  readonly cause: EpochCause | null
  readonly at: number | null
  /** `null` if the path is the first `kept` entries of that of `base`, and then `own`. */
  readonly path: string | null
  readonly base: number | null
  readonly kept: number | null
  readonly own: string | null
}

/** The epochs among the rows of a reading. */
export class Epochs {
  readonly #session: string
  readonly #rows: ReadonlyMap<number, EpochRow>
  readonly #paths = new Map<number, Path>()

  constructor(session: string, rows: readonly PartRow[]) {
    this.#session = session
    this.#rows = new Map(rows.map((row) => [row.seq, toEpochRow(row)]))
  }

  /** All whose path can be read, ascending. What needs another finds that it is missing. */
  get all(): KeptEpoch[] {
    return [...this.#rows.values()]
      .sort((a, b) => a.number - b.number)
      .flatMap(({ number, cause, at, base }) => {
        try {
          return [{ number, path: this.path(number), cause, at, base }]
        } catch (error) {
          if (!isLost(error)) throw error
          return []
        }
      })
  }

  /** Goes from difference to difference up to a whole path, and takes from each no more entries than those before need. */
  path(number: number): Path {
    const parts: Path[] = []
    let needed = Number.POSITIVE_INFINITY
    let next = number
    for (;;) {
      const known = this.#whole(next)
      if (known !== null) {
        parts.push(first(known, needed))
        break
      }
      const { base, kept, own } = this.#rows.get(next) ?? {}
      if (base == null || kept == null || base >= next) {
        throw new MemoryLostError(this.#session, [], `the path of epoch ${next} is missing`)
      }
      if (needed > kept) parts.push(first(pathFromText(this.#session, own), needed - kept))
      needed = Math.min(needed, kept)
      next = base
    }
    const path = joinRanges(parts.reverse().flat())
    this.#paths.set(number, path)
    return path
  }

  #whole(number: number): Path | null {
    const known = this.#paths.get(number)
    const text = this.#rows.get(number)?.path ?? null
    if (known !== undefined || text === null) return known ?? null
    const path = pathFromText(this.#session, text)
    this.#paths.set(number, path)
    return path
  }
}

function first(path: Path, entries: number): readonly Range[] {
  if (entries === Number.POSITIVE_INFINITY) return path
  return splitHead(closePath(path, Number.MAX_SAFE_INTEGER), entries)[0]
}

function toEpochRow({ seq, at, kind, body }: PartRow): EpochRow {
  const [path, base, kept, own] = JSON.parse(body ?? '[]') as [
    path: string | null,
    base: number | null,
    kept: number | null,
    own: string | null,
  ]
  return { number: seq, cause: kind as EpochCause | null, at, path, base, kept, own }
}
