import { statSync } from 'node:fs'
import type { ChatMessage } from 'unforget'
import { spreadOf } from '../measure.ts'
import { type Bench, type Measured, rowGroup } from '../row.ts'
import { makeTurns } from '../turns.ts'
import { openMemory } from '../unforget.ts'

interface Fixture {
  readonly bench: Bench
  readonly turns: readonly ChatMessage[]
}

/** The sizes hardly vary, and the peer takes long: a few rounds are enough. */
export const fileSizeGroup = rowGroup<Fixture>(async (bench) => ({
  bench,
  turns: makeTurns(bench.size(800, 40)),
}), () => {}, [
  {
    name: 'file-size',
    what: 'file after 800 turns of 500 bytes, a snapshot after each',
    baseline: 'the bytes of the turns',
    async measure({ bench, turns }) {
      const sizes: number[] = []
      for (let round = 0; round < bench.size(5, 1); round++) sizes.push(await writeOurs(bench, turns))
      return versusTheTurns(sizes, turns)
    },
  },
  {
    name: 'file-size-peer',
    what: "LangGraph's SqliteSaver doing the same",
    baseline: 'the bytes of the turns',
    measure: async ({ bench, turns }) => versusTheTurns([await writePeers(bench, turns)], turns),
  },
])

function versusTheTurns(sizes: readonly number[], turns: readonly ChatMessage[]): Measured {
  const bytes = turns.reduce((sum, turn) => sum + JSON.stringify(turn).length, 0)
  return {
    rounds: sizes.length,
    ratio: spreadOf(sizes.map((size) => size / bytes)),
    figures: [
      { name: 'file', value: spreadOf(sizes).median, unit: 'bytes' },
      { name: 'turns', value: bytes, unit: 'bytes' },
    ],
  }
}

async function writeOurs(bench: Bench, turns: readonly ChatMessage[]): Promise<number> {
  const file = bench.freshFile('turns.db')
  const memory = await openMemory(`sqlite:${file}`)
  for (const turn of turns) {
    await memory.addMessages('user-42', [turn])
    await memory.saveSnapshot('user-42')
  }
  await memory.close()
  return statSync(file).size
}

/** One checkpoint a turn, each with the list of messages as it is then: what a graph with a list of messages writes. */
async function writePeers(bench: Bench, turns: readonly ChatMessage[]): Promise<number> {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const { emptyCheckpoint, uuid6 } = await import('@langchain/langgraph-checkpoint')
  const file = bench.freshFile('checkpoints.db')
  const saver = SqliteSaver.fromConnString(file)
  let config: Parameters<typeof saver.put>[0] = { configurable: { thread_id: 'user-42', checkpoint_ns: '' } }
  for (const step of turns.keys()) {
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(step),
      channel_values: { messages: turns.slice(0, step + 1) },
      channel_versions: { messages: step + 1 },
    }
    config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} })
  }
  saver.db.close()
  return statSync(file).size
}
