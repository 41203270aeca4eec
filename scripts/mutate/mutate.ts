import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Judged, judgeMutants } from './judge-mutants.ts'
import { whyEquivalent } from './known-mutants.ts'
import { mutantsPage } from './mutants-page.ts'
import { allMutants, shuffled } from './sample-mutants.ts'

/** Judges a sample of the mutants of the reference store, and writes docs/mutants.md if asked to. */
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    /** A file that results are added to and continued from, for a run in several parts. */
    log: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [seed, from] = [Number(values.seed), Number(values.from)]
const every = shuffled(allMutants(), seed).filter(({ file }) => file.includes(values.file))
const chosen = every.slice(from, from + Number(values.sample))
const before: Judged[] =
  values.log !== undefined && existsSync(values.log)
    ? readFileSync(values.log, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Judged)
    : []
const keyOf = ({ mutant }: Pick<Judged, 'mutant'>) => JSON.stringify(mutant)
const known = new Map(before.map((judged) => [keyOf(judged), judged]))
const waiting = chosen.filter((mutant) => !known.has(keyOf({ mutant })))
console.log(`${chosen.length} of ${every.length} mutants, seed ${seed}; ${waiting.length} to judge`)
await judgeMutants(waiting, Number(values.workers), (judged) => {
  const { mutant, killedBy } = judged
  const place = `${mutant.file}:${mutant.line}  ${JSON.stringify(mutant.original)} → ${JSON.stringify(mutant.mutated)}`
  const word = whyEquivalent(mutant) === null ? 'SURVIVED  ' : 'equivalent'
  console.log(killedBy === null ? `${word} ${place}` : `killed     ${place}  by ${killedBy}`)
  known.set(keyOf(judged), judged)
  if (values.log) writeFileSync(values.log, `${JSON.stringify(judged)}\n`, { flag: 'a' })
})
const judged = chosen.flatMap((mutant) => known.get(keyOf({ mutant })) ?? [])
const survived = judged.filter(({ mutant, killedBy }) => killedBy === null && whyEquivalent(mutant) === null)
console.log(`${judged.length} judged, ${survived.length} survived`)
if (values.write) {
  const page = new URL('../../docs/mutants.md', import.meta.url)
  writeFileSync(page, mutantsPage({ judged, total: every.length, seed }))
}
