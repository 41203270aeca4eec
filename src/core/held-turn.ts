import { randomUUID } from 'node:crypto'
import type { Lease } from './backend.ts'
import type { Calls, CallTurn } from './calls.ts'
import { publish } from './diagnostics.ts'
import { TurnLostError } from './errors.ts'

/** Nobody holds a turn under this token, so a write that carries it is rejected. */
const unheld = randomUUID()

/**
 * A turn that was taken: renewed every third of its lease until it is over. It never counts as held for longer than the
 * backend has promised, measured from before the call that took or renewed it.
 */
export class HeldTurn implements CallTurn {
  readonly session: string
  /** Resolves once it is over: ended, lost, or released when the store closes. */
  readonly over: Promise<void>
  readonly #calls: Calls
  readonly #lease: Lease
  readonly #controller = new AbortController()
  #heldUntil: number
  #renewal: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined
  #lastLook: NodeJS.Immediate | undefined
  #lost: TurnLostError | null = null
  #isOver = false
  #settle: () => void = () => {}
  #underWay: Promise<void> = Promise.resolve()
  #ending: Promise<void> | undefined

  constructor(calls: Calls, session: string, lease: Lease, since: number) {
    this.#calls = calls
    this.session = session
    this.#lease = lease
    this.#heldUntil = since + lease.milliseconds
    this.over = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#planRenewal()
    this.#watchEnd()
  }

  /** Aborts when the turn is lost, with the error. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Why it was lost; `null` if it is held, or was held to its end. */
  get lost(): TurnLostError | null {
    this.#look()
    return this.#lost
  }

  get token(): string {
    this.#look()
    return this.#isOver ? unheld : this.#lease.token
  }

  lose(error: TurnLostError): void {
    if (this.#isOver) return
    this.#lost = error
    this.abort(error)
    this.#stop()
  }

  /** Aborts the signal and leaves the turn held. */
  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Releases the turn, once. */
  end(): Promise<void> {
    this.#look()
    this.#stop()
    this.#ending ??= this.#underWay.then(() => endTurn(this.#calls, this.session, this.#lease.token))
    return this.#ending
  }

  #look(): void {
    if (!this.#isOver && performance.now() >= this.#heldUntil) this.lose(new TurnLostError(this.session))
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#renewal)
    clearTimeout(this.#end)
    clearImmediate(this.#lastLook)
    this.#settle()
  }

  #planRenewal(): void {
    this.#renewal = setTimeout(() => {
      this.#underWay = this.#renew()
    }, this.#lease.milliseconds / 3).unref()
  }

  async #renew(): Promise<void> {
    try {
      const since = await this.#calls.renewTurn(this.session, this.#lease)
      if (since === null) this.lose(new TurnLostError(this.session))
      else this.#heldUntil = Math.max(this.#heldUntil, since + this.#lease.milliseconds)
    } catch (error) {
      publish('turn', { method: 'renewTurn', session: this.session, error })
    }
    if (!this.#isOver) this.#planRenewal()
  }

  /** After a blocked event loop, the response to a renewal may already have arrived, so it is checked once more. */
  #watchEnd(): void {
    this.#end = setTimeout(
      () => {
        this.#lastLook = setImmediate(() => {
          this.#look()
          if (!this.#isOver) this.#watchEnd()
        })
      },
      Math.max(1, this.#heldUntil - performance.now()),
    ).unref()
  }
}

/** If this fails, the lease ends on its own. */
export async function endTurn(calls: Calls, session: string, token: string): Promise<void> {
  try {
    await calls.endTurn(session, token)
  } catch (error) {
    publish('turn', { method: 'endTurn', session, error })
  }
}
