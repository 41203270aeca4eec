import { expect, test } from 'vitest'
import { sizeAfterTurns } from './sizes.ts'

test('800 turns of 500 bytes take at most 2.6 times their bytes, and at most four times what 200 take', async () => {
  const few = await sizeAfterTurns(200)
  const many = await sizeAfterTurns(800)
  expect(many.timesTheTurns).toBeLessThanOrEqual(2.6)
  expect(many.bytes).toBeLessThanOrEqual(4 * few.bytes)
})
