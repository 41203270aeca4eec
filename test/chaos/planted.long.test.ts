import { expect, test } from 'vitest'
import { explain } from '../../chaos/histories.ts'
import { findPlanted } from '../../chaos/planted/find-planted.ts'
import { type PlantedBug, plantedBugs } from '../../chaos/planted/plant-bug.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const rules: Readonly<Record<PlantedBug, RegExp>> = {
  'the rewind of 0.1': /one order explains every result/,
  'ifVersion is not looked at': /one order explains every result/,
  'a retry is applied again': /a repeated operation returns the first result/,
  'reads from a cache': /./,
  'everybody has the turn': /one turn at a time/,
  'a rollback wipes the snapshots': /./,
  'acknowledged before it is written': /./,
}

test.each(Object.keys(plantedBugs) as PlantedBug[])('the checker finds it: %s', async (bug) => {
  const { violations, operations } = await findPlanted(bug, await temporaryFolder(), 1, 20)
  const [first] = violations.filter(({ rule }) => rules[bug].test(rule))
  if (first === undefined) throw new Error(`not found: ${bug}`)
  expect(explain(operations, first, 1)).toMatch(/^Violated: .*\n[\s\S]*seed 1, \d+ of \d+ operations:\n/)
})
