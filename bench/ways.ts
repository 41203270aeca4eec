import type { MemoryStore } from 'unforget'
import { alternate, type Side, timeEach } from './measure.ts'
import { type Bench, type Row, timesTheThroughput, timesTheTime } from './row.ts'
import { makeTurn } from './turns.ts'

/** How messages are appended to a server, by whichever side. */
export interface Way {
  readonly name: string
  readonly what: string
  /** What is compared. */
  readonly measured: typeof timesTheTime
  sideOf(bench: Bench, append: (session: string) => Promise<unknown>): Side
}

/** What else appends them. */
export interface Baseline {
  /** Behind the name of the way. */
  readonly name: string
  readonly baseline: string
  readonly figure: string
  /** On connections of its own, unless it brings the memory that shares them. */
  open(url: string): Promise<{ append(session: string): Promise<unknown>; close(): unknown; memory?: MemoryStore }>
}

export interface OnServer {
  readonly bench: Bench
  readonly server: { readonly url: string; stop(): Promise<void> }
  readonly memory: MemoryStore
}

export async function closeOnServer({ server, memory }: OnServer): Promise<void> {
  await memory.close()
  await server.stop()
}

const callers = 64
export const turn = makeTurn(1)

export const oneByOne: Way = {
  name: 'append',
  what: 'append, one after another',
  measured: timesTheTime,
  sideOf: (bench, append) => () => timeEach(bench.size(50, 5), () => append('one')),
}
export const toOne = together('append-64-one', 'to one session', () => 'shared')
export const toEach = together('append-64-each', 'to 64 sessions', (caller) => `caller-${caller}`)

export function appendRow(group: string, where: string, way: Way, other: Baseline): Row<OnServer> {
  return {
    name: `${group}-${way.name}${other.name}`,
    what: `${where}: ${way.what}`,
    baseline: other.baseline,
    async measure({ bench, server, ...fixture }) {
      const { append, close, ...opened } = await other.open(server.url)
      const { memory } = { ...fixture, ...opened }
      const rounds = await alternate(
        way.sideOf(bench, (session) => memory.addMessages(`${session}${other.name}`, [turn])),
        way.sideOf(bench, append),
        { warmUp: bench.size(15, 1), rounds: bench.size(30, 3), parts: bench.size(10, 2) },
      )
      await close()
      return way.measured(rounds, 'addMessages, per message', other.figure)
    },
  }
}

function together(name: string, where: string, sessionOf: (caller: number) => string): Way {
  return {
    name,
    what: `append, ${callers} at once ${where}`,
    measured: timesTheThroughput,
    sideOf(bench, append) {
      const each = bench.size(2, 1)
      return async () => {
        const started = performance.now()
        await Promise.all(
          Array.from({ length: callers }, (_, caller) => timeEach(each, () => append(sessionOf(caller)))),
        )
        return (performance.now() - started) / (callers * each)
      }
    },
  }
}
