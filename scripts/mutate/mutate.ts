import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judgeMutants } from './judge-mutants.ts'
import { allMutants, shuffled } from './sample-mutants.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    log: { type: 'string' },
  },
})
const every = shuffled(allMutants(), Number(values.seed)).filter(({ file }) => file.includes(values.file))
const from = Number(values.from)
const chosen = every.slice(from, values.sample === undefined ? undefined : from + Number(values.sample))
console.log(`${chosen.length} of ${every.length} mutants, seed ${values.seed}`)
let killed = 0
const judged = await judgeMutants(chosen, Number(values.workers), ({ mutant, killedBy, how }) => {
  if (killedBy !== null) killed += 1
  const { file, line, original, mutated } = mutant
  const place = `${file}:${line}  ${JSON.stringify(original)} → ${JSON.stringify(mutated)}`
  console.log(killedBy === null ? `SURVIVED  ${place}` : `killed    ${place}  by ${killedBy}`)
  if (values.log) appendFileSync(values.log, `${JSON.stringify({ ...mutant, killedBy, how })}\n`)
})
console.log(`${killed} of ${judged.length} killed`)
