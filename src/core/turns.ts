import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from './backend.ts'
import type { Calls } from './calls.ts'
import { misuse, SessionBusyError, StoreClosedError } from './errors.ts'
import { endTurn, HeldTurn } from './held-turn.ts'
import { isBackendError } from './recognize-error.ts'
import { TurnQueue } from './turn-queue.ts'
import type { TurnOptions } from './types.ts'

const defaults = { wait: 30_000, lease: 15_000 }

/** The longest pause between two attempts to take a turn that somebody else holds, in milliseconds. */
const longestPause = 250

/** The turns that the code being run is part of. */
const taken = new AsyncLocalStorage<readonly HeldTurn[]>()

/** The turns that one store takes. */
export class Turns {
  readonly #calls: Calls
  readonly #queue = new TurnQueue()
  /** What waits for a turn, and what ends the waiting. */
  readonly #taking = new Map<Promise<unknown>, AbortController>()
  readonly #held = new Set<HeldTurn>()

  constructor(calls: Calls) {
    this.#calls = calls
  }

  async use<T>(session: string, options: TurnOptions, run: (turn: HeldTurn) => T | Promise<T>): Promise<T> {
    const outer = taken.getStore() ?? []
    if (outer.some((turn) => turn.session === session && this.#held.has(turn) && !turn.isOver)) {
      throw misuse('withTurn: this code already runs in a turn of the same session')
    }
    const { signal } = options
    signal?.throwIfAborted()
    const given = new AbortController()
    const pass = () => given.abort(signal?.reason)
    signal?.addEventListener('abort', pass)
    try {
      const turn = await this.#take(session, options, given)
      return await this.#run(turn, given.signal, () => taken.run([...outer, turn], async () => run(turn)))
    } finally {
      signal?.removeEventListener('abort', pass)
    }
  }

  /** Waiters and holders get the error that the store is closed, and held turns are released. */
  async close(): Promise<void> {
    const reason = new StoreClosedError()
    for (const given of this.#taking.values()) given.abort(reason)
    await Promise.allSettled(this.#taking.keys())
    for (const turn of this.#held) turn.abort(reason)
    await Promise.all([...this.#held].map((turn) => this.#end(turn)))
  }

  async #run<T>(turn: HeldTurn, given: AbortSignal, run: () => Promise<T>): Promise<T> {
    const pass = () => turn.abort(given.reason)
    given.addEventListener('abort', pass)
    if (given.aborted) pass()
    try {
      const result = await run()
      if (turn.lost !== null) throw turn.lost
      return result
    } catch (error) {
      throw turn.lost ?? error
    } finally {
      given.removeEventListener('abort', pass)
      await this.#end(turn)
    }
  }

  async #take(session: string, options: TurnOptions, given: AbortController): Promise<HeldTurn> {
    const taking = this.#waitFor(session, options, given)
    this.#taking.set(taking, given)
    try {
      return await taking
    } finally {
      this.#taking.delete(taking)
    }
  }

  async #waitFor(
    session: string,
    { wait = defaults.wait, lease = defaults.lease }: TurnOptions,
    given: AbortController,
  ): Promise<HeldTurn> {
    const deadline = performance.now() + wait
    const timer = setTimeout(() => given.abort(new SessionBusyError(session, wait)), wait)
    const leave = await this.#queue.enter(session, given.signal).finally(() => clearTimeout(timer))
    try {
      const turn = await this.#poll(session, { token: randomUUID(), milliseconds: lease }, given.signal, deadline)
      if (turn === null) throw new SessionBusyError(session, wait)
      this.#held.add(turn)
      void turn.over.then(leave)
      return turn
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Tries immediately, then again and again until the deadline, and when the lease of the holder ends. */
  async #poll(session: string, lease: Lease, ends: AbortSignal, deadline: number): Promise<HeldTurn | null> {
    for (let longest = 10; ; longest = Math.min(2 * longest, longestPause)) {
      ends.throwIfAborted()
      const { freeIn, since } = await this.#calls.takeTurn(session, lease).catch(async (error: unknown) => {
        if (isBackendError(error)) await endTurn(this.#calls, session, lease.token)
        throw error
      })
      if (freeIn === null && !ends.aborted) return new HeldTurn(this.#calls, session, lease, since)
      if (freeIn === null) await endTurn(this.#calls, session, lease.token)
      ends.throwIfAborted()
      const left = deadline - performance.now()
      if (left <= 0) return null
      const longestNow = Math.min(left, freeIn ?? 0, longest * (0.5 + Math.random() / 2))
      await pause(Math.max(1, longestNow), undefined, { signal: ends }).catch(() => ends.throwIfAborted())
    }
  }

  async #end(turn: HeldTurn): Promise<void> {
    await turn.end()
    this.#held.delete(turn)
  }
}
