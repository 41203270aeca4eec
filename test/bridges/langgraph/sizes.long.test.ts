import { expect, test } from 'vitest'
import { sizeAfterGraph, sizeAfterTurns } from './sizes.ts'

test('3,200 turns of 500 bytes take at most four times what 800 take', async () => {
  const [few, many] = [await sizeAfterTurns(800), await sizeAfterTurns(3200)]
  expect(many.bytes).toBeLessThanOrEqual(4 * few.bytes)
})

test('400 turns of a graph with one node take at most 3 MB', async () => {
  expect(await sizeAfterGraph(400)).toBeLessThanOrEqual(3_000_000)
})
