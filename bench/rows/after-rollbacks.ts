import { statSync } from 'node:fs'
import type { MemoryStore } from 'unforget'
import { alternate, spreadOf, timeEach } from '../measure.ts'
import { type Bench, type Row, rowGroup, timesTheTime } from '../row.ts'
import { settleLog } from '../settle-log.ts'
import { timeRollbacks } from '../time-rollbacks.ts'
import { makeTurn, makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly after: MemoryStore
  readonly none: MemoryStore
  /** Of the two files, before anything else is measured on them. */
  readonly bytes: { readonly after: number; readonly none: number }
}

const session = 'user-42'

/**
 * Every rollback leaves a turn in the log, so the path has one more gap each time: the most expensive way to roll back. The other file
 * holds as many turns and was never rolled back.
 */
export const afterRollbacksGroup = rowGroup<Fixture>(
  async (bench) => {
    const files = { after: bench.freshFile('rollbacks.db'), none: bench.freshFile('no-rollbacks.db') }
    const rollbacks = bench.size(1000, 20)
    await write(files.after, rollbacks, async (memory) => {
      const { id } = await memory.saveSnapshot(session)
      await memory.addMessages(session, [makeTurn(0)])
      await memory.rollbackToSnapshot(session, id)
    })
    await write(files.none, rollbacks, (memory) => memory.addMessages(session, [makeTurn(0)]))
    const bytes = { after: statSync(files.after).size, none: statSync(files.none).size }
    const after = await openMemory(`sqlite:${files.after}`)
    const none = await openMemory(`sqlite:${files.none}`)
    for (const memory of [after, none]) await settleLog(memory, bench.size(1200, 10))
    return { bench, after, none, bytes }
  },
  async ({ after, none }) => {
    await after.close()
    await none.close()
  },
  [
    versusNone('snapshot-after-rollbacks', 'snapshot after 1,000 rollbacks with a snapshot each', (memory, times) =>
      timeEach(times, () => memory.saveSnapshot(session)),
    ),
    versusNone('rollback-after-rollbacks', 'rollback after 1,000 rollbacks with a snapshot each', (memory, times) =>
      timeRollbacks(memory, session, times),
    ),
    {
      name: 'bytes-after-rollbacks',
      what: 'bytes of the file after 1,000 rollbacks with a snapshot each',
      baseline: 'the same turns, no rollback',
      measure: async ({ bytes }) => ({
        rounds: 1,
        ratio: spreadOf([bytes.after / bytes.none]),
        figures: [
          { name: 'after the rollbacks', value: bytes.after, unit: 'bytes' },
          { name: 'after none', value: bytes.none, unit: 'bytes' },
        ],
      }),
    },
  ],
)

function versusNone(
  name: string,
  what: string,
  operate: (memory: MemoryStore, times: number) => Promise<number>,
): Row<Fixture> {
  return {
    name,
    what,
    baseline: 'after none',
    async measure({ bench, after, none }) {
      const times = bench.size(5, 2)
      const rounds = await alternate(
        () => operate(after, times),
        () => operate(none, times),
        { warmUp: bench.size(3, 1), rounds: bench.size(30, 3), parts: bench.size(4, 2) },
      )
      return timesTheTime(rounds, 'after the rollbacks', 'after none')
    },
  }
}

async function write(file: string, times: number, also: (memory: MemoryStore) => Promise<unknown>): Promise<void> {
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages(session, makeTurns(1000))
  for (let index = 0; index < times; index++) {
    await memory.addMessages(session, [makeTurn(index)])
    await also(memory)
  }
  await memory.close()
}
