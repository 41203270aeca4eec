import assert from 'node:assert/strict'
import type { MemoryStore } from 'unforget'
import { BareDatabase } from '../bare-database.ts'
import { alternate, timeEach, timeEachSync } from '../measure.ts'
import { type Bench, rowGroup, timesTheTime } from '../row.ts'
import { makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
  readonly bare: BareDatabase
}

const session = 'user-42'

export const wholeHistoryGroup = rowGroup<Fixture>(
  async (bench) => {
    const turns = makeTurns(1000)
    const memory = await openMemory(`sqlite:${bench.freshFile('history.db')}`)
    const bare = new BareDatabase(bench.freshFile('history-bare.db'))
    await memory.addMessages(session, turns)
    for (const turn of turns) bare.insert(session, JSON.stringify(turn))
    assert.deepEqual([...(await memory.getHistory(session))], bare.selectAndParse())
    return { bench, memory, bare }
  },
  async ({ memory, bare }) => {
    bare.close()
    await memory.close()
  },
  [
    {
      name: 'history-1000',
      what: 'getHistory of 1,000 entries',
      baseline: 'a bare SELECT and JSON.parse',
      async measure({ bench, memory, bare }) {
        const times = bench.size(4, 1)
        const rounds = await alternate(
          () => timeEach(times, () => memory.getHistory(session)),
          () => timeEachSync(times, () => bare.selectAndParse()),
          { warmUp: bench.size(10, 1), rounds: bench.size(40, 3), parts: bench.size(5, 2) },
        )
        return timesTheTime(rounds, 'getHistory', 'bare')
      },
    },
  ],
)
