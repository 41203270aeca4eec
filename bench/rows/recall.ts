import assert from 'node:assert/strict'
import type { MemoryStore } from 'unforget'
import { alternate, timeEach, timeEachSync } from '../measure.ts'
import { type Bench, rowGroup, timesTheTime } from '../row.ts'
import { openMemory } from '../unforget.ts'
import { BareVectors, makeVectors } from '../vectors.ts'

interface Fixture {
  readonly bench: Bench
  readonly memory: MemoryStore
  readonly bare: BareVectors
  readonly query: Float32Array
}

const session = 'user-42'
const wanted = 5

export const recallGroup = rowGroup<Fixture>(
  async (bench) => {
    const file = bench.freshFile('recall.db')
    const vectors = makeVectors(bench.size(10_000, 200), 1)
    const filling = await openMemory(`sqlite:${file}`)
    const add = (embedding: Float32Array, index: number) =>
      filling.addSummary(session, { text: `What was said in part ${index} of a long conversation`, embedding })
    await Promise.all(vectors.map(add))
    await filling.close()
    const [query = new Float32Array()] = makeVectors(1, 2)
    return { bench, memory: await openMemory(`sqlite:${file}`), bare: new BareVectors(vectors), query }
  },
  ({ memory }) => memory.close(),
  [
    {
      name: 'recall',
      what: 'recall over 10,000 x 384',
      baseline: 'a bare loop over Float32Array',
      async measure({ bench, memory, bare, query }) {
        const started = performance.now()
        const recalled = await memory.recall(session, query, { k: wanted })
        const first = performance.now() - started
        assert.deepEqual(
          recalled.map(({ seq }) => seq - 1),
          bare.nearest(query, wanted),
        )
        const rounds = await alternate(
          () => timeEach(1, () => memory.recall(session, query, { k: wanted })),
          () => timeEachSync(1, () => bare.nearest(query, wanted)),
          { warmUp: bench.size(5, 1), rounds: bench.size(30, 3), parts: bench.size(4, 1) },
        )
        const measured = timesTheTime(rounds, 'recall', 'bare loop')
        const figures = [...measured.figures, { name: 'first recall after opening', value: first, unit: 'ms' }]
        return { ...measured, figures }
      },
    },
  ],
)
