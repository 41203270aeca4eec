import { snapshotDb } from 'unforget/golden/vitest'
import { test as base } from 'vitest'
import { MemoryManager } from '../memory-manager.ts'

const test = base.extend({
  snapshotDb: snapshotDb({
    golden: 'memory_test.sqlite',
    seed: (path) => {
      const memory = new MemoryManager(path)
      memory.addTurn('s0', { role: 'user', content: 'Somebody else was here before' })
      memory.close()
    },
    volatile: { 'snapshots.id': 'uuid', 'snapshots.saved_at': 'time' },
  }),
})

const steps = new URL('./steps.ts', import.meta.url)

test('roll back dirty data to a previous snapshot', async ({ snapshotDb }) => {
  await snapshotDb.process(steps, 'saveAndExit', { session: 's1' })
  await snapshotDb.process(steps, 'rollBack', { session: 's1' })
})
