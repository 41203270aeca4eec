import type { Mutant } from './find-mutants.ts'
import type { Judged } from './judge-mutants.ts'
import { whyEquivalent } from './known-mutants.ts'

export interface Sample {
  readonly judged: readonly Judged[]
  readonly total: number
  readonly seed: number
}

/** docs/mutants.md. */
export function mutantsPage({ judged, total, seed }: Sample): string {
  const left = judged.filter(({ killedBy }) => killedBy === null)
  const equivalent = left.filter(({ mutant }) => whyEquivalent(mutant) !== null)
  const survived = left.filter(({ mutant }) => whyEquivalent(mutant) === null)
  const killed = judged.length - left.length
  const share = ((100 * killed) / (judged.length - equivalent.length)).toFixed(1)
  return `# Mutants

<!-- Written by \`npm run mutate -- --write\`. -->

Goldfish are bugs that somebody thought of. Mutants are bugs that nobody chose: \`npm run mutate\` makes one small change at a time to the reference store
(core and the memory backend, as far as \`memory:\` loads them) and lets the kit alone judge the result. An operator becomes another one, a condition becomes true or false, a number
grows by one, a text becomes empty, a statement, a filter or a spread disappears. Texts for people are left alone, because messages are no part of the contract.

| | mutants |
|---|---|
| in all | ${total} |
| judged: a random sample with seed ${seed} | ${judged.length} |
| killed | ${killed} |
| equivalent: they change nothing that the contract promises | ${equivalent.length} |
| survived | ${survived.length} |
| **killed, of those that change behavior under the contract** | **${share} %** |

Which survivors are equivalent was judged by hand after they were seen. A mutant that hangs counts as killed.

\`npm run mutate -- --sample 50 --seed 2\` judges others, \`--file trim-plan\` those of one file. \`npm run test:long\` judges the beginning of the sample with seed ${seed} and fails
if a mutant survives that is not listed here.

## Survived

These change what a store does, and no case notices. Each is a case that is still to be written.

${table(survived, () => '')}
## Equivalent

${table(equivalent, ({ mutant }) => whyEquivalent(mutant) ?? '')}`
}

function table(list: readonly Judged[], why: (judged: Judged) => string): string {
  if (list.length === 0) return 'None.\n'
  const hasReason = list.some((one) => why(one) !== '')
  const rows = list.map((one) => {
    return `| ${placeOf(one.mutant)} |${hasReason ? ` ${why(one)} |` : ''}`
  })
  const head = hasReason
    ? '| file | line | original | mutant | why it changes nothing |\n|---|---|---|---|---|'
    : '| file | line | original | mutant |\n|---|---|---|---|'
  return `${head}\n${rows.join('\n')}\n`
}

/** Where a mutant is and what it changes, without the number of its line, which moves. */
export function placeOf({ file, original, mutated, code: line }: Mutant): string {
  return `${file.replace(/\.js$/, '')} | ${code(line)} | ${code(original)} | ${code(mutated)}`
}

function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  return `\`${line.length > 90 ? `${line.slice(0, 89)}…` : line}\``
}
