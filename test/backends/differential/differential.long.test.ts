import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { everyBackend } from '../every-backend.ts'
import { compareBackends, everyOutcome } from './compare-backends.ts'

const { cases } = await everyBackend()

test.each([
  ['a seed that stays', 20_260_802],
  ['another seed every time', randomInt(2 ** 31)],
])('a commit means the same on every backend, with %s', async (_, seed) => {
  const opened = new Map(await Promise.all(cases.map(async ([name, open]) => [name, await open()] as const)))
  const { changes, outcomes } = await compareBackends(opened, { seed, programs: 400 })
  expect([...outcomes].sort()).toEqual(everyOutcome)
  expect(changes).toBeGreaterThan(10_000)
})
