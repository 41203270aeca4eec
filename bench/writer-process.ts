import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { OpenOptions } from 'unforget'
import { makeTurn } from './turns.ts'
import { openMemory } from './unforget.ts'

export interface Order {
  readonly milliseconds: number
  /** How many callers append at once, one message after another. */
  readonly callers: number
  /** How many sessions they share. */
  readonly sessions: number
}
/** The memory that a process opens, and what its sessions are called. */
export interface Post {
  readonly url: string
  readonly options?: OpenOptions
  readonly session: string
}
export interface Outcome {
  readonly commits: number
  /** The longest that the event loop was held, in milliseconds. */
  readonly longestBlock: number
}

const { url, options, session } = JSON.parse(process.argv[2] ?? '') as Post
const turn = makeTurn(1)
const resolution = 1
const memory = await openMemory(url, options)

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => void write(order).then((outcome) => process.send?.(outcome)))
process.send?.('ready')

async function write({ milliseconds, callers, sessions }: Order): Promise<Outcome> {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const end = performance.now() + milliseconds
  let commits = 0
  const call = async (caller: number) => {
    const name = sessions === 1 ? session : `${session}-${caller % sessions}`
    while (performance.now() < end) {
      await memory.addMessages(name, [turn])
      commits += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  delay.disable()
  return { commits, longestBlock: Math.max(0, delay.max / 1e6 - resolution) }
}
