import type { MemoryStore } from 'unforget'
import { alternate, timeEach } from '../measure.ts'
import { type Bench, type Row, rowGroup, timesTheTime } from '../row.ts'
import { settleLog } from '../settle-log.ts'
import { timePages } from '../time-pages.ts'
import { timeRollbacks } from '../time-rollbacks.ts'
import { makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly long: MemoryStore
  readonly short: MemoryStore
}

const session = 'user-42'
const batch = 1000

/** Two files, so that the weight of a long session on its file counts as well. */
export const longSessionGroup = rowGroup<Fixture>(
  async (bench) => {
    const long = await fill(bench.freshFile('long.db'), bench.size(1_000_000, 5_000))
    const short = await fill(bench.freshFile('short.db'), batch)
    for (const memory of [long, short]) await settleLog(memory, bench.size(1200, 10))
    return { bench, long, short }
  },
  async ({ long, short }) => {
    await long.close()
    await short.close()
  },
  [
    versusShort('snapshot-long', 'snapshot at 1,000,000 entries', (memory, times) =>
      timeEach(times, () => memory.saveSnapshot(session)),
    ),
    versusShort('rollback-long', 'rollback at 1,000,000 entries', (memory, times) =>
      timeRollbacks(memory, session, times),
    ),
    versusShort('history-last-50', 'getHistory last 50 at 1,000,000 entries', (memory, times) =>
      timeEach(times, () => memory.getHistory(session, { last: 50 })),
    ),
    versusShort('page-50', 'a page of 50 anywhere at 1,000,000 entries', (memory, times) =>
      timePages(memory, session, times),
    ),
  ],
)

function versusShort(
  name: string,
  what: string,
  operate: (memory: MemoryStore, times: number) => Promise<number>,
): Row<Fixture> {
  return {
    name,
    what,
    baseline: 'at 1,000 entries',
    async measure({ bench, long, short }) {
      const times = bench.size(10, 3)
      const rounds = await alternate(
        () => operate(long, times),
        () => operate(short, times),
        { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(5, 2) },
      )
      return timesTheTime(rounds, 'long', 'short')
    },
  }
}

async function fill(file: string, entries: number): Promise<MemoryStore> {
  const memory = await openMemory(`sqlite:${file}`)
  for (let from = 0; from < entries; from += batch) await memory.addMessages(session, makeTurns(batch, from))
  return memory
}
