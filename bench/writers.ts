import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome, Post } from './writer-process.ts'

const script = fileURLToPath(new URL('./writer-process.ts', import.meta.url))

/** Longer than any order takes: a writer that does not answer by then is an error. */
const patience = 30_000

/** Processes that append when they are told to. They end with this one. */
export class Writers {
  readonly #children: readonly ChildProcess[]
  readonly #end = () => {
    for (const child of this.#children) child.kill('SIGKILL')
  }

  static async start(posts: readonly Post[]): Promise<Writers> {
    const writers = new Writers(posts.map((post) => fork(script, [JSON.stringify(post)])))
    await Promise.all(writers.#children.map((child) => answer(child)))
    return writers
  }

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
    process.prependListener('exit', this.#end)
  }

  /** Lets the first `count` of them write at once. */
  write(count: number, order: Order): Promise<Outcome[]> {
    return Promise.all(
      this.#children.slice(0, count).map(async (child) => {
        child.send(order)
        return (await answer(child)) as Outcome
      }),
    )
  }

  async end(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = Promise.all(running.map((child) => once(child, 'exit')))
    this.#end()
    await ended
    process.off('exit', this.#end)
  }
}

async function answer(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(patience)])
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then(() => {
        throw new Error('a writing process ended before its time')
      }),
    ])
  } finally {
    settled.abort()
  }
}
