import { snapshotDb } from 'unforget/golden/vitest'
import { test as base } from 'vitest'
import { ownBackend } from './own-backend-config.ts'

const steps = new URL('./own-backend-steps.ts', import.meta.url)
const session = { session: 'user-42' }

const test = base.extend({ snapshotDb: snapshotDb(ownBackend) })

test('what one process saved another rolls back, and every snapshot stays', async ({ snapshotDb }) => {
  await snapshotDb.process(steps, 'saveAndExit', session)
  await snapshotDb.step('saved')
  await snapshotDb.process(steps, 'rollBack', session)
})

test('what was acknowledged before a kill is there for the next process', async ({ snapshotDb }) => {
  await snapshotDb.process(steps, 'saveAndExit', session)
  await snapshotDb.process(steps, 'answerAndDie', session, { killAt: 'acknowledged' })
  await snapshotDb.process(steps, 'rollBack', session)
})

test('a session that was erased leaves nothing of what was said', async ({ snapshotDb }) => {
  await snapshotDb.process(steps, 'saveAndExit', session)
  await snapshotDb.process(steps, 'eraseSession', session)
})
