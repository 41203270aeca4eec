import { memoryVolatile } from 'unforget/golden'
import { snapshotDb } from 'unforget/golden/vitest'
import { test as base } from 'vitest'

const test = base.extend({ snapshotDb: snapshotDb({ volatile: memoryVolatile }) })

const agent = new URL('../agent.ts', import.meta.url)

test('what two processes of the agent leave in its memory', async ({ snapshotDb }) => {
  await snapshotDb.process(agent, 'serve', { customer: 'user-42', questions: ['Hello', 'Where is order 1001?'] })
  await snapshotDb.step('first')
  await snapshotDb.process(agent, 'serve', { customer: 'user-42', questions: ['And order 0?'] })
})
