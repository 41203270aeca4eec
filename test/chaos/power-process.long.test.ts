import { expect, test } from 'vitest'
import { buildRecorder } from '../../chaos/sqlite/build-recorder.ts'
import { cutPower } from '../../chaos/sqlite/power-cuts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test("the power cuts are harsh: with durability 'process', acknowledged commits are lost, and nothing is corrupt", async () => {
  const folder = await temporaryFolder()
  const { states, problems } = await cutPower({
    library: buildRecorder(folder),
    folder,
    seed: 3,
    states: 150,
    until: Number.POSITIVE_INFINITY,
    durability: 'process',
  })
  expect(states).toBe(150)
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) expect(problem).toMatch(/is at commit \d+, and \d+ was acknowledged/)
})
