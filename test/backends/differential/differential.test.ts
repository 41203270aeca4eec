import { expect, test } from 'vitest'
import { everyBackend } from '../every-backend.ts'
import { compareBackends, everyOutcome } from './compare-backends.ts'

const { cases } = await everyBackend()

test('a commit means the same on every backend', async () => {
  const opened = new Map(await Promise.all(cases.map(async ([name, open]) => [name, await open()] as const)))
  const { changes, outcomes } = await compareBackends(opened, { seed: 1, programs: 20 })
  expect([...outcomes].sort()).toEqual(everyOutcome)
  expect(changes).toBeGreaterThan(500)
})
