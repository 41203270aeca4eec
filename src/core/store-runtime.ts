import { AutomaticErasure } from './automatic-erasure.ts'
import type { Backend } from './backend.ts'
import { Calls } from './calls.ts'
import { publish } from './diagnostics.ts'
import { EmbeddingCache } from './embedding-cache.ts'
import type { Summary } from './entries.ts'
import { misuse, StoreClosedError } from './errors.ts'
import type { HeldTurn } from './held-turn.ts'
import { type ShowEntry, showWith } from './history.ts'
import { check, checkSession, schemas } from './options.ts'
import { traceCall } from './trace-call.ts'
import { Turns } from './turns.ts'
import type { BeginOptions, TurnOptions, WriteOptions } from './types.ts'

/** What the methods of one session need. In a turn, the writes carry its token. */
export type SessionRuntime = Pick<
  StoreRuntime,
  'calls' | 'show' | 'embeddings' | 'write' | 'begin' | 'run' | 'withTurn'
>

/** What the methods of a store share: its calls to the backend, its caches, and its life cycle. */
export class StoreRuntime {
  readonly calls: Calls
  /** Shows entries as items of the history. Only the caller who opened the store knows their type. */
  readonly show: ShowEntry<object>
  readonly embeddings = new EmbeddingCache()
  readonly #backend: Backend
  readonly #turns: Turns
  readonly #erasure: AutomaticErasure
  #underWay = 0
  #onIdle: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor(
    backend: Backend,
    options: { timeout: number; ttl: number | undefined },
    summaryMessage?: (summary: Summary) => object,
  ) {
    this.#backend = backend
    this.calls = new Calls(backend, options, { onCommit: () => this.#erasure.noteCommit() })
    this.#turns = new Turns(this.calls)
    this.#erasure = new AutomaticErasure(this.calls)
    this.#erasure.start()
    this.show = showWith(summaryMessage)
  }

  /** Runs a public method that writes to one session. */
  write<T>(
    method: string,
    session: string,
    options: WriteOptions,
    run: (checked: WriteOptions) => Promise<T>,
  ): Promise<T> {
    return this.run(method, [session], schemas.write, options, run)
  }

  /** Runs a public method that writes to one session and may create it. */
  begin<T>(
    method: string,
    session: string,
    options: BeginOptions,
    run: (checked: BeginOptions) => Promise<T>,
  ): Promise<T> {
    return this.run(method, [session], schemas.begin, options, run)
  }

  /** Runs a public method: checks its arguments, and lets `close` wait for it. */
  async run<T, Options>(
    method: string,
    sessions: readonly string[],
    schema: Parameters<typeof check>[0] | undefined,
    options: Options,
    run: (checked: Options) => Promise<T>,
  ): Promise<T> {
    const checked = this.#check(sessions, schema, options)
    const started = performance.now()
    this.#underWay += 1
    try {
      return await traceCall(method, sessions[0], () => run(checked))
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#onIdle?.()
      const milliseconds = performance.now() - started
      if (milliseconds > this.calls.timeout / 5) publish('slow', { method, milliseconds })
    }
  }

  /** Runs the caller's function in a turn. `close` does not wait for it: that function itself may close the store. */
  async withTurn<T>(
    session: string,
    options: TurnOptions,
    run: (runtime: SessionRuntime, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const checked = this.#check([session], schemas.turn, options)
    return traceCall('withTurn', session, () =>
      this.#turns.use(session, checked, (turn) => run(this.#inTurn(turn), turn.signal)),
    )
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled([this.#idle(), this.#turns.close(), this.#erasure.stop()]).then(() => {
      this.embeddings.clear()
      return this.#backend.close()
    })
    return this.#closing
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve
      if (this.#underWay === 0) resolve()
    })
  }

  #check<Options>(
    sessions: readonly string[],
    schema: Parameters<typeof check>[0] | undefined,
    options: Options,
  ): Options {
    if (this.#closing !== undefined) throw new StoreClosedError()
    for (const session of sessions) checkSession(session)
    return schema === undefined ? options : check(schema, options, 'options')
  }

  #inTurn(turn: HeldTurn): SessionRuntime {
    return {
      calls: this.calls.inTurn(turn),
      show: this.show,
      embeddings: this.embeddings,
      write: this.write.bind(this),
      begin: this.begin.bind(this),
      run: this.run.bind(this),
      withTurn: async () => {
        throw misuse('withTurn: a turn of the same session is already taken')
      },
    }
  }
}
