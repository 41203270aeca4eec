import { randomUUID } from 'node:crypto'
import type { Change, Committed, StagedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { publish } from '../diagnostics.ts'
import { MemoryStoreError, SessionExistsError } from '../errors.ts'
import { slice as bounds, sizeOf } from '../slice.ts'
import { beginSession } from './begin-session.ts'
import { reclaimErased } from './reclaim-erased.ts'

/**
 * Writes a session that does not exist yet. A copy that fits into one slice is one commit; a longer one is staged slice by slice, so that neither the event loop nor a
 * lock is held for long and at most one slice is in memory, and then published by one commit.
 */
export class StagedCopy {
  readonly #calls: Calls
  readonly #session: string
  readonly #operationId: string
  readonly #copy = randomUUID()
  #slice: StagedEntry[] = []
  #bytes = 0
  #count = 0
  #staging: 'not yet' | 'staging' | 'done before' = 'not yet'

  /** Passes a copy to `write`, which adds to it and creates the session. Whatever happens, nothing stays staged. */
  static async use<T>(
    calls: Calls,
    session: string,
    operationId: string,
    write: (copy: StagedCopy) => Promise<T>,
  ): Promise<T> {
    const copy = new StagedCopy(calls, session, operationId)
    try {
      return await write(copy)
    } finally {
      if (copy.#staging === 'staging') await copy.#giveUp()
    }
  }

  private constructor(calls: Calls, session: string, operationId: string) {
    this.#calls = calls
    this.#session = session
    this.#operationId = operationId
  }

  async add(entries: readonly StagedEntry[]): Promise<void> {
    for (const entry of entries) {
      const size = sizeOf(entry)
      const isFull = this.#slice.length >= bounds.entries || this.#bytes + size > bounds.bytes
      if (isFull && this.#slice.length > 0) await this.#flush()
      this.#slice.push(entry)
      this.#bytes += size
    }
  }

  async begin(
    operation: Change['operation'],
    content: (entries: readonly StagedEntry[]) => Pick<Change, 'append' | 'restore' | 'begin'>,
  ): Promise<Committed> {
    if (this.#staging === 'not yet') {
      return beginSession(this.#calls, this.#session, { operation, ...content(this.#slice) })
    }
    await this.#flush()
    const { restore, begin } = content([])
    const staged = { copy: this.#copy, count: this.#count }
    return beginSession(this.#calls, this.#session, {
      operation,
      ...(restore && { restore }),
      ...(begin && { begin }),
      staged,
    })
  }

  async #flush(): Promise<void> {
    if (this.#staging === 'not yet') await this.#look()
    const slice = this.#slice
    this.#slice = []
    this.#bytes = 0
    this.#count += slice.length
    if (this.#staging === 'staging') await this.#calls.stage(this.#session, this.#copy, slice)
  }

  /** Do not stage what the commit would reject, or what was applied before. */
  async #look(): Promise<void> {
    const { state, operation } = await this.#calls.read(this.#session, { operation: this.#operationId })
    if (operation === null && state !== null) throw new SessionExistsError(this.#session)
    this.#staging = operation === null ? 'staging' : 'done before'
  }

  async #giveUp(): Promise<void> {
    try {
      if (await this.#calls.unstage(this.#session, this.#copy)) await reclaimErased(this.#calls, this.#session)
    } catch (error) {
      if (!MemoryStoreError.is(error)) throw error
      publish('unswept', { session: this.#session, error })
    }
  }
}
