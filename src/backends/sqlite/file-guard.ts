import { type BigIntStats, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { MemoryStoreBackendError } from '../../core/errors.ts'
import { openDatabase } from '../../driver/open-database.ts'
import type { Checkpoint } from './begin-log.ts'
import { isLater, type LogMark } from './log-mark.ts'
import { logOf, lookAtLog } from './own-log.ts'

/**
 * Knows whether the file that a connection has open is still the one under its name. Once it is not, that is final: whatever
 * is there afterwards is not what was opened.
 *
 * It has its own read-only connection, which sees the file without the other one's cache. And while it is open, closing the other
 * one neither writes to the file nor removes the log, which by then may belong to somebody else.
 */
export class FileGuard {
  /** The newest mark that was read in the file or written to it. */
  newest: LogMark | undefined
  readonly #file: string
  readonly #path: string
  readonly #wal: string
  readonly #keeper: Database.Database
  #main: BigIntStats
  readonly #log: BigIntStats | undefined
  #gone: string | undefined

  /** For a file that a connection has open, as it was when it was opened. */
  constructor(path: string, opened: BigIntStats | undefined, file: string) {
    this.#file = file
    this.#path = path
    this.#wal = logOf(path)
    const main = lookAtFile(path)
    if (main === undefined || !isSame(main, opened)) throw this.#error('replaced')
    this.#main = main
    this.#keeper = openDatabase(path, { timeout: 0, readonly: true, fileMustExist: true })
    try {
      const { marks, isOwn } = lookAtLog(this.#keeper, this.#wal)
      this.newest = marks?.[0]
      this.#log = lookAtFile(this.#wal)
      if (!isOwn || !isSame(lookAtFile(path), opened)) throw this.#error('replaced')
    } catch (error) {
      this.#keeper.close()
      throw error
    }
  }

  /** Throws if the file is not the one that was opened. */
  require(): void {
    this.#gone ??= this.#look()
    if (this.#gone !== undefined) throw this.#error(this.#gone)
  }

  /** How the log is, also while the other connection is in a transaction. */
  lookAtCheckpoint(): Checkpoint {
    return this.#keeper.prepare<[], Checkpoint>('PRAGMA wal_checkpoint(NOOP)').get() ?? unknown
  }

  close(): void {
    this.#keeper.close()
  }

  #look(): string | undefined {
    const main = lookAtFile(this.#path)
    if (main === undefined) return 'removed'
    if (!isSame(main, this.#main)) return 'replaced'
    if (!isSame(lookAtFile(this.#wal), this.#log)) return 'separated from its log (-wal)'
    if (main.mtimeNs === this.#main.mtimeNs && main.size === this.#main.size) return undefined
    if (!this.#isContinued()) return 'overwritten'
    this.#main = main
    return undefined
  }

  /** The file itself changes with every checkpoint, and when something is copied over it. */
  #isContinued(): boolean {
    this.#keeper.pragma('shrink_memory')
    const { marks, isOwn } = lookAtLog(this.#keeper, this.#wal)
    const newest = marks?.[0]
    if (this.newest === undefined) return true
    if (newest === undefined || !isOwn || !isLater(newest, this.newest)) return false
    this.newest = newest
    return true
  }

  #error(what: string): MemoryStoreBackendError {
    const message = `${this.#file} was ${what} while it was open: every call is rejected until this store is closed and the file is opened again`
    return new MemoryStoreBackendError('BACKEND_FAILED', message, { applied: 'no' })
  }
}

const unknown: Checkpoint = { busy: 1, log: -1, checkpointed: -1 }

/** What distinguishes a file from others; undefined if it does not exist. */
export function lookAtFile(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one?.ino === other?.ino && one?.dev === other?.dev
}
