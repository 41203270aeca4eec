import type { KeptEpoch } from './backend.ts'
import { MemoryLostError } from './errors.ts'
import { closePath, joinRanges, type Path, type Range, splitHead } from './path.ts'

/** An epoch as a backend stores it. */
export interface StoredEpoch extends Omit<KeptEpoch, 'path'> {
  /** `null` if it has to be assembled from the base and the difference. */
  readonly path: Path | null
}

/** Epochs that are stored as differences. A path is assembled only when needed, because there may be many long ones. */
export class StoredEpochs {
  readonly #session: string
  readonly #rows = new Map<number, StoredEpoch>()
  readonly #paths = new Map<number, Path>()
  /** The numbers of epochs with a missing path or part of one, ascending. */
  readonly lost: readonly number[]

  constructor(session: string, rows: readonly StoredEpoch[]) {
    this.#session = session
    const lost: number[] = []
    for (const row of [...rows].sort((a, b) => a.number - b.number)) {
      const isReadable = row.path !== null || (row.base !== null && row.difference !== null && this.#rows.has(row.base))
      if (isReadable) this.#rows.set(row.number, row)
      else lost.push(row.number)
    }
    this.lost = lost
  }

  /** All readable epochs, ascending. */
  get all(): KeptEpoch[] {
    const pathOf = (number: number) => this.path(number)
    return [...this.#rows.values()].map(({ number, cause, at, base, difference }) => ({
      number,
      cause,
      at,
      base,
      difference,
      get path() {
        return pathOf(number)
      },
    }))
  }

  /** Follows the differences up to a whole path, and takes from each only the entries that are needed. */
  path(number: number): Path {
    const parts: Path[] = []
    let needed = Number.POSITIVE_INFINITY
    for (let next = number; ; ) {
      const row = this.#rows.get(next)
      const whole = this.#paths.get(next) ?? row?.path ?? null
      if (whole !== null) {
        parts.push(first(whole, needed))
        break
      }
      if (row?.base == null || row.difference === null) {
        throw new MemoryLostError(this.#session, [], `the path of epoch ${next} is missing`)
      }
      const { entries, own } = row.difference
      if (needed > entries) parts.push(first(own, needed - entries))
      needed = Math.min(needed, entries)
      next = row.base
    }
    const path = joinRanges(parts.reverse().flat())
    this.#paths.set(number, path)
    return path
  }
}

function first(path: Path, entries: number): readonly Range[] {
  if (entries === Number.POSITIVE_INFINITY) return path
  return splitHead(closePath(path, Number.MAX_SAFE_INTEGER), entries)[0]
}
