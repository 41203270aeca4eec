import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { everyBackend } from '../every-backend.ts'
import { compareBackends, everyOutcome } from './compare-backends.ts'

const { cases } = await everyBackend()
const programs = 160

const openAll = async () => new Map(await Promise.all(cases.map(async ([name, open]) => [name, await open()] as const)))

test('a commit means the same on every backend', async () => {
  const { changes, outcomes } = await compareBackends(await openAll(), { seed: 2, programs })
  expect([...outcomes].sort()).toEqual(everyOutcome)
  expect(changes).toBeGreaterThan(5000)
})

test.each([randomInt(2 ** 31)])(
  'a commit means the same on every backend, with seed %i, which is another every time',
  async (seed) => {
    const { changes } = await compareBackends(await openAll(), { seed, programs })
    expect(changes).toBeGreaterThan(5000)
  },
)
