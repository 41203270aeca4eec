import type { MemoryStore } from 'unforget'
import { repeat, type Side, spreadOf, timeEach } from '../measure.ts'
import { type Bench, type Measured, rowGroup } from '../row.ts'
import { makeTurn, makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
}

const session = 'user-42'
const turn = makeTurn(1)

export const memoryStoreGroup = rowGroup<Fixture>(
  async (bench) => {
    const memory = await openMemory('memory:')
    await memory.addMessages(session, makeTurns(1000))
    return { bench, memory }
  },
  ({ memory }) => memory.close(),
  [
    {
      name: 'memory-append',
      what: 'memory store: append',
      baseline: null,
      bar: null,
      measure: ({ bench, memory }) =>
        figureOf(bench, 'addMessages', () => timeEach(bench.size(1000, 10), () => memory.addMessages(session, [turn]))),
    },
    {
      name: 'memory-history-last-50',
      what: 'memory store: getHistory last 50',
      baseline: null,
      bar: null,
      measure: ({ bench, memory }) =>
        figureOf(bench, 'getHistory', () =>
          timeEach(bench.size(1000, 10), () => memory.getHistory(session, { last: 50 })),
        ),
    },
  ],
)

async function figureOf(bench: Bench, name: string, side: Side): Promise<Measured> {
  const times = await repeat(side, { warmUp: bench.size(5, 1), rounds: bench.size(30, 3) })
  const { q1, median, q3 } = spreadOf(times)
  return {
    rounds: times.length,
    ratio: null,
    figures: [
      { name, value: median, unit: 'ms' },
      { name: 'first quartile', value: q1, unit: 'ms' },
      { name: 'third quartile', value: q3, unit: 'ms' },
    ],
  }
}
