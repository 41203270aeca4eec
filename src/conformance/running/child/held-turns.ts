import { type Notice, pack } from '../remote-protocol.ts'

type Methods = Record<string, (...parameters: unknown[]) => unknown>

class RunFailed extends Error {}

/** The turns that this process holds for functions that run in another one. */
export class HeldTurns {
  readonly #notice: (notice: Notice) => void
  readonly #held = new Map<number, { turn: Methods; end: (failed: boolean) => void }>()

  constructor(notice: (notice: Notice) => void) {
    this.#notice = notice
  }

  /** `take` with its number, the session and the options, `end`, or a method of a turn, as `3.addMessages`. */
  async answer(store: Methods, method: string, parameters: unknown[]): Promise<unknown> {
    if (method === 'take') return this.#take(store, ...(parameters as [number, string, unknown]))
    if (method === 'end') {
      const [number, failed] = parameters as [number, boolean]
      return this.#held.get(number)?.end(failed)
    }
    const [number, name = ''] = method.split('.')
    return this.#held.get(Number(number))?.turn[name]?.(...parameters)
  }

  async #take(store: Methods, number: number, session: string, options: unknown): Promise<void> {
    const run = (turn: Methods, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () =>
          this.#notice({ turn: number, event: 'aborted', reason: pack(signal.reason) }),
        )
        const end = (failed: boolean) => (failed ? reject(new RunFailed()) : resolve())
        this.#held.set(number, { turn, end })
        this.#notice({ turn: number, event: 'taken' })
      })
    try {
      await store['withTurn']?.(session, run, options)
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error
    }
  }
}
