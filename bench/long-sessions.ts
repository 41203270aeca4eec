import type { MemoryStore } from 'unforget'
import { alternate, timeEach } from './measure.ts'
import { type Bench, type Row, rowGroup, timesTheTime } from './row.ts'
import { timePages } from './time-pages.ts'
import { timeRollbacks } from './time-rollbacks.ts'
import { makeTurns } from './turns.ts'
import { closeOnServer, type OnServer } from './ways.ts'

const batch = 1000

/** Entries per session: the longest, the baseline for snapshots and rollbacks, the baseline for reads. */
export interface Lengths {
  readonly long: number
  readonly short: number
  readonly least: number
}

/** What must not grow with the history. */
export function longSessionsGroup(
  group: string,
  where: string,
  lengths: Lengths,
  open: (bench: Bench) => Promise<OnServer>,
) {
  const named = (length: number) => `of ${length.toLocaleString('en')} entries`
  const [long, short, least] = [named(lengths.long), named(lengths.short), named(lengths.least)]
  return rowGroup<OnServer>(
    async (bench) => {
      const opened = await open(bench)
      await fill(opened.memory, long, bench.size(lengths.long, 2_000))
      await fill(opened.memory, short, bench.size(lengths.short, 200))
      if (least !== short) await fill(opened.memory, least, bench.size(lengths.least, 60))
      return opened
    },
    closeOnServer,
    [
      versusShort('history-last-50', 'getHistory last 50', least, (memory, session, times) =>
        timeEach(times, () => memory.getHistory(session, { last: 50 })),
      ),
      versusShort('page-50', 'a page of 50 anywhere', short, timePages),
      versusShort('snapshot-long', 'snapshot', short, (memory, session, times) =>
        timeEach(times, () => memory.saveSnapshot(session)),
      ),
      versusShort('rollback-long', 'rollback', short, timeRollbacks),
    ],
  )

  function versusShort(
    name: string,
    what: string,
    baseline: string,
    operate: (memory: MemoryStore, session: string, times: number) => Promise<number>,
  ): Row<OnServer> {
    return {
      name: `${group}-${name}`,
      what: `${where}: ${what} ${long}`,
      baseline,
      async measure({ bench, memory }) {
        const times = bench.size(10, 3)
        const rounds = await alternate(
          () => operate(memory, long, times),
          () => operate(memory, baseline, times),
          { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(5, 2) },
        )
        return timesTheTime(rounds, 'long', 'short')
      },
    }
  }
}

async function fill(memory: MemoryStore, session: string, entries: number): Promise<void> {
  for (let from = 0; from < entries; from += batch) {
    await memory.addMessages(session, makeTurns(Math.min(batch, entries - from), from))
  }
}
