import type { SessionMemory } from '../../../core/session-memory.ts'
import type { TurnOptions } from '../../../core/types.ts'
import { type Notice, revive } from '../remote-protocol.ts'

type Send = (method: string, parameters: unknown[]) => Promise<unknown>

interface Taken {
  run(): void
  abort(reason: unknown): void
}

/** Turns that another process holds, while the functions that run in them are called in this one. */
export class RemoteTurns {
  readonly #send: Send
  readonly #turns = new Map<number, Taken>()
  #number = 0

  constructor(send: Send) {
    this.#send = send
  }

  notice(notice: Notice): void {
    const turn = this.#turns.get(notice.turn)
    if (notice.event === 'taken') turn?.run()
    else turn?.abort(revive(notice.reason))
  }

  async withTurn<T>(
    session: string,
    run: (turn: SessionMemory, signal: AbortSignal) => T | Promise<T>,
    options: TurnOptions = {},
  ): Promise<T> {
    this.#number += 1
    const number = this.#number
    const signal = new AbortController()
    let result: Promise<T> | undefined
    this.#turns.set(number, {
      abort: (reason) => signal.abort(reason),
      run: () => {
        const running = Promise.resolve(this.#turn(number)).then((turn) => run(turn, signal.signal))
        result = running
        const end = (failed: boolean) => this.#send('turn.end', [number, failed]).catch(() => {})
        running.then(
          () => end(false),
          () => end(true),
        )
      },
    })
    try {
      await this.#send('turn.take', [number, session, options])
      return (await result) as T
    } finally {
      this.#turns.delete(number)
    }
  }

  #turn(number: number): SessionMemory {
    return new Proxy({} as SessionMemory, {
      get: (_, name) =>
        typeof name === 'string' && name !== 'then'
          ? (...parameters: unknown[]) => this.#send(`turn.${number}.${name}`, parameters)
          : undefined,
    })
  }
}
