import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Mutant } from './find-mutants.ts'
import { type Judged, judgeMutants } from './judge-mutants.ts'
import { whyEquivalent } from './known-mutants.ts'
import { mutantsPage } from './mutants-page.ts'
import { allMutants, shuffled } from './sample-mutants.ts'

/** Judges samples of the mutants of the reference store, and writes docs/mutants.md if asked to. */
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    /** The seed of a sample; one sample for each that is given. */
    seed: { type: 'string', multiple: true, default: ['1'] },
    /** The seed of a sample that no case was written for. */
    fresh: { type: 'string', multiple: true, default: [] },
    file: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    /** A file that results are added to and continued from, for a run in several parts. */
    log: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const all = allMutants().filter(({ file }) => file.includes(values.file))
const samples = [...values.seed, ...values.fresh].map((seed) => ({
  seed: Number(seed),
  isFresh: values.fresh.includes(seed),
  mutants: shuffled(all, Number(seed)).slice(0, Number(values.sample)),
}))
const keyOf = (mutant: Mutant) => JSON.stringify(mutant)
const before =
  values.log !== undefined && existsSync(values.log) ? readFileSync(values.log, 'utf8').split('\n').filter(Boolean) : []
const known = new Map(before.map((line) => JSON.parse(line) as Judged).map((judged) => [keyOf(judged.mutant), judged]))
const chosen = new Map(samples.flatMap(({ mutants }) => mutants).map((mutant) => [keyOf(mutant), mutant]))
const waiting = [...chosen].filter(([key]) => !known.has(key)).map(([, mutant]) => mutant)
console.log(
  `${chosen.size} of ${all.length} mutants, seeds ${samples.map(({ seed }) => seed)}; ${waiting.length} to judge`,
)
await judgeMutants(waiting, Number(values.workers), (judged) => {
  const { mutant, killedBy } = judged
  const place = `${mutant.file}:${mutant.line}  ${JSON.stringify(mutant.original)} → ${JSON.stringify(mutant.mutated)}`
  const word = whyEquivalent(mutant) === null ? 'SURVIVED  ' : 'equivalent'
  console.log(killedBy === null ? `${word} ${place}` : `killed     ${place}  by ${killedBy}`)
  known.set(keyOf(mutant), judged)
  if (values.log) writeFileSync(values.log, `${JSON.stringify(judged)}\n`, { flag: 'a' })
})
const results = samples.map(({ seed, isFresh, mutants }) => ({
  seed,
  isFresh,
  judged: mutants.flatMap((mutant) => known.get(keyOf(mutant)) ?? []),
}))
for (const { seed, judged } of results) {
  const survived = judged.filter(({ mutant, killedBy }) => killedBy === null && whyEquivalent(mutant) === null)
  console.log(`seed ${seed}: ${judged.length} judged, ${survived.length} survived`)
}
if (values.write) {
  const page = new URL('../../docs/mutants.md', import.meta.url)
  writeFileSync(page, mutantsPage(results, { total: all.length, sample: Number(values.sample) }))
}
