import assert from 'node:assert/strict'
import { test } from './fixtures.js'

const steps = new URL('./steps.ts', import.meta.url)

test('what a killed process saved is there for the next', async ({ snapshotDb }) => {
  await snapshotDb.process(steps, 'save', { text: 'before the end' }, { killAt: 'saved' })
  const { messages, pid } = await snapshotDb.process(steps, 'count')
  assert.equal(messages, 2)
  assert.notEqual(pid, process.pid)
})
