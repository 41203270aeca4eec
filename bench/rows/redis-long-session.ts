import type { MemoryStore } from 'unforget'
import { alternate, timeEach } from '../measure.ts'
import { closeOnRedis, type OnRedis, openOnRedis } from '../redis.ts'
import { type Row, rowGroup, timesTheTime } from '../row.ts'
import { timeRollbacks } from '../time-rollbacks.ts'
import { makeTurns } from '../turns.ts'

const batch = 1000
const long = 'of 100,000 entries'
const short = 'of 1,000 entries'
const least = 'of 100 entries'

/** Nothing is synced: it would hide what grows. */
export const redisLongSessionGroup = rowGroup<OnRedis>(
  async (bench) => {
    const opened = await openOnRedis(bench, { synced: false })
    await fill(opened.memory, long, bench.size(100_000, 2_000))
    await fill(opened.memory, short, bench.size(1_000, 200))
    await fill(opened.memory, least, bench.size(100, 60))
    return opened
  },
  closeOnRedis,
  [
    besideShort('redis-history-last-50', 'getHistory last 50', least, (memory, session, times) =>
      timeEach(times, () => memory.getHistory(session, { last: 50 })),
    ),
    besideShort('redis-snapshot-long', 'snapshot', short, (memory, session, times) =>
      timeEach(times, () => memory.saveSnapshot(session)),
    ),
    besideShort('redis-rollback-long', 'rollback', short, timeRollbacks),
  ],
)

function besideShort(
  name: string,
  what: string,
  beside: string,
  operate: (memory: MemoryStore, session: string, times: number) => Promise<number>,
): Row<OnRedis> {
  return {
    name,
    what: `Redis: ${what} ${long}`,
    beside,
    bar: { atMost: 1.5 },
    async measure({ bench, memory }) {
      const times = bench.size(10, 3)
      const rounds = await alternate(
        () => operate(memory, long, times),
        () => operate(memory, beside, times),
        { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(5, 2) },
      )
      return timesTheTime(rounds, 'long', 'short')
    },
  }
}

async function fill(memory: MemoryStore, session: string, entries: number): Promise<void> {
  for (let from = 0; from < entries; from += batch) {
    await memory.addMessages(session, makeTurns(Math.min(batch, entries - from), from))
  }
}
