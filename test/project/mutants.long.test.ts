import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { judgeMutants } from '../../scripts/mutate/judge-mutants.ts'
import { whyEquivalent } from '../../scripts/mutate/known-mutants.ts'
import { placeOf } from '../../scripts/mutate/mutants-page.ts'
import { allMutants, shuffled } from '../../scripts/mutate/sample-mutants.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'

/** About two minutes on two cores. */
const sampled = 30

test('of a fixed sample of mutants, none survives the kit that docs/mutants.md does not list', async () => {
  requireFreshBuild()
  const page = await readFile(new URL('../../docs/mutants.md', import.meta.url), 'utf8')
  const [, seed = ''] = /the beginning of the sample with seed (\d+)/.exec(page) ?? []
  const judged = await judgeMutants(shuffled(allMutants(), Number(seed)).slice(0, sampled), 2)
  const survived = judged.filter(({ mutant, killedBy }) => killedBy === null && whyEquivalent(mutant) === null)
  expect(survived.map(({ mutant }) => placeOf(mutant)).filter((place) => !page.includes(place))).toEqual([])
  expect(judged.filter(({ killedBy }) => killedBy !== null).length).toBeGreaterThan(sampled / 2)
})
