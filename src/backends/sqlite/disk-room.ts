import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { slice } from '../../core/slice.ts'
import { type Checkpoint, checkpoint, emptyLog } from './begin-log.ts'
import type { Queries } from './queries.ts'
import { diskFull } from './sqlite-error.ts'

/** Kept free for removals: they need space too, for a slice in the log, before they free any. */
const reservedBytes = 2 * slice.bytes

/** The disk is checked again after this many pages at the latest. */
const farthest = 10_000

/**
 * Keeps room for removals. SQLite writes everything twice, into the log and then into the file, and a log that can no longer be
 * moved into the file keeps its own space: then nothing can be removed either.
 */
export class DiskRoom {
  readonly #file: string
  readonly #folder: string
  readonly #pageSize: number
  #last = 0
  #enoughUntil = -1

  constructor(file: string, path: string, pageSize: number) {
    this.#file = file
    this.#folder = dirname(path)
    this.#pageSize = pageSize
  }

  /**
   * Throws if there is no room for the given bytes, even after moving the log into the file, which frees its space. Removals (`null`)
   * may use the reserve. Returns the state of the log.
   */
  require(connection: Queries, bytes: number | null): Checkpoint {
    const log = checkpoint(connection, 'NOOP')
    if (this.#isEnough(log.log, bytes ?? 0)) return log
    emptyLog(connection)
    const emptied = checkpoint(connection, 'NOOP')
    if (bytes === null || this.#isEnough(emptied.log, bytes) || this.#fitsIntoFile(connection, emptied.log, bytes))
      return emptied
    throw diskFull(this.#file)
  }

  #isEnough(pages: number, bytes: number): boolean {
    const isAnotherLog = pages < this.#last
    this.#last = pages
    const after = pages + (2 * bytes) / this.#pageSize
    if (!isAnotherLog && after <= this.#enoughUntil) return true
    const free = this.#free()
    this.#enoughUntil = pages + Math.min((free - reservedBytes - pages * this.#pageSize) / this.#pageSize / 4, farthest)
    return free >= reservedBytes + after * this.#pageSize
  }

  /** The file has room where something was removed, and the log can be moved there. */
  #fitsIntoFile(connection: Queries, pages: number, bytes: number): boolean {
    const unused = (connection.pragma('freelist_count') as number) * this.#pageSize
    return (
      unused >= pages * this.#pageSize + 2 * bytes + reservedBytes / 32 && this.#free() >= 2 * bytes + reservedBytes / 4
    )
  }

  #free(): number {
    const { bavail, bsize, blocks } = statfsSync(this.#folder)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  }
}
