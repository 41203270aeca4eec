import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { programs, runProgram, type Step } from './programs.ts'

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'unforget-model-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('programs of all operations agree with plain arrays, in memory', async () => {
  await fc.assert(
    fc.asyncProperty(programs, (steps) => runProgram(steps, () => openMemory('memory:'), false)),
    { numRuns: 250 },
  )
})

test('programs of all operations agree with plain arrays, on SQLite, reopened on the way', async () => {
  await inFolder(async (folder) => {
    let program = 0
    await fc.assert(
      fc.asyncProperty(programs, async (steps) => {
        const url = `sqlite:${join(folder, `${program++}.db`)}`
        await runProgram(steps, () => openMemory(url, { durability: 'process' }), true)
      }),
      { numRuns: 60 },
    )
  })
})

test('the programs reach paths that do not ascend', () => {
  const compactedThenMore = (steps: Step[]) => steps.some((step, index) => step.do === 'compact' && index > 3)
  expect(fc.sample(programs, 100).filter(compactedThenMore).length).toBeGreaterThan(20)
})
