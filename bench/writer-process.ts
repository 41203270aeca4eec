import { monitorEventLoopDelay } from 'node:perf_hooks'
import { makeTurn } from './turns.ts'
import { openMemory } from './unforget.ts'

export interface Order {
  readonly milliseconds: number
}
export interface Outcome {
  readonly commits: number
  /** The longest that the event loop was held, in milliseconds. */
  readonly longestBlock: number
}

const [file = '', session = ''] = process.argv.slice(2)
const turn = makeTurn(1)
const resolution = 1
const memory = await openMemory(`sqlite:${file}`)

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => void write(order).then((outcome) => process.send?.(outcome)))
process.send?.('ready')

async function write({ milliseconds }: Order): Promise<Outcome> {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const end = performance.now() + milliseconds
  let commits = 0
  while (performance.now() < end) {
    await memory.addMessages(session, [turn])
    commits += 1
  }
  delay.disable()
  return { commits, longestBlock: Math.max(0, delay.max / 1e6 - resolution) }
}
