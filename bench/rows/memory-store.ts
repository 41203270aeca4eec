import type { MemoryStore } from 'unforget'
import { BareDatabase } from '../bare-database.ts'
import { alternate, cpuOfEach, repeat, type Side, spreadOf, timeEach } from '../measure.ts'
import { type Bench, type Measured, rowGroup, timesTheTime } from '../row.ts'
import { makeTurn, makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
}

const session = 'user-42'
const turn = makeTurn(1)
const inBatch = 64

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
      measure: ({ bench, memory }) =>
        figureOf(bench, 'addMessages', () => timeEach(bench.size(1000, 10), () => memory.addMessages(session, [turn]))),
    },
    {
      name: 'memory-append-cpu',
      what: 'memory store: processor time of an append',
      baseline: 'a bare insert into SQLite, 64 in a transaction',
      async measure({ bench, memory }) {
        const bare = new BareDatabase(bench.freshFile('memory-bare.db'))
        const batch = Array.from({ length: inBatch }, () => JSON.stringify(turn))
        const batches = bench.size(20, 1)
        const rounds = await alternate(
          () => cpuOfEach(batches * inBatch, 1, () => memory.addMessages(session, [turn])),
          () => cpuOfEach(batches, inBatch, () => bare.insertAll(session, batch)),
          { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(10, 2) },
        )
        bare.close()
        return timesTheTime(rounds, 'addMessages', 'bare insert')
      },
    },
    {
      name: 'memory-history-last-50',
      what: 'memory store: getHistory last 50',
      baseline: null,
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
