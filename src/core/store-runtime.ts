import type { Backend } from './backend.ts'
import { Calls } from './calls.ts'
import { publish } from './diagnostics.ts'
import { EmbeddingCache } from './embedding-cache.ts'
import type { Summary } from './entries.ts'
import { StoreClosedError } from './errors.ts'
import { type ShowEntry, showWith } from './history.ts'
import { check, checkSession, schemas } from './options.ts'
import type { WriteOptions } from './types.ts'

/** What the methods of a store share: its calls to the backend, its caches, and its life cycle. */
export class StoreRuntime {
  readonly calls: Calls
  /** Shows entries as items of the history. Their type is known to whoever opened the store. */
  readonly show: ShowEntry<object>
  readonly embeddings = new EmbeddingCache()
  readonly #backend: Backend
  readonly #underWay = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(
    backend: Backend,
    options: { timeout: number; ttl: number | undefined },
    summaryMessage?: (summary: Summary) => object,
  ) {
    this.#backend = backend
    this.calls = new Calls(backend, options)
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

  /** Runs a public method: checks its arguments, and lets `close` wait for it. */
  async run<T, Options>(
    method: string,
    sessions: readonly string[],
    schema: Parameters<typeof check>[0] | undefined,
    options: Options,
    run: (checked: Options) => Promise<T>,
  ): Promise<T> {
    if (this.#closing !== undefined) throw new StoreClosedError()
    for (const session of sessions) checkSession(session)
    const checked = schema === undefined ? options : check(schema, options, 'options')
    const started = performance.now()
    const running = run(checked)
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
      const milliseconds = performance.now() - started
      if (milliseconds > this.calls.timeout / 5) publish('slow', { method, milliseconds })
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => {
      this.embeddings.clear()
      return this.#backend.close()
    })
    return this.#closing
  }
}
