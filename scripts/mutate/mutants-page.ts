import type { Mutant } from './find-mutants.ts'
import type { Judged } from './judge-mutants.ts'
import { whyEquivalent } from './known-mutants.ts'

export interface Sample {
  readonly seed: number
  /** Whether no case was written for its survivors. */
  readonly isFresh: boolean
  readonly judged: readonly Judged[]
}

/** docs/mutants.md. */
export function mutantsPage(samples: readonly Sample[], { total, sample }: { total: number; sample: number }): string {
  const left = unique(samples.flatMap(({ judged }) => judged)).filter(({ killedBy }) => killedBy === null)
  const equivalent = left.filter(({ mutant }) => whyEquivalent(mutant) !== null)
  const survived = left.filter(({ mutant }) => whyEquivalent(mutant) === null)
  const seeds = samples.map(({ seed, isFresh }) => `--${isFresh ? 'fresh' : 'seed'} ${seed}`).join(' ')
  return `# Mutants

<!-- Written by \`npm run mutate -- --sample ${sample} ${seeds} --write\`. -->

Goldfish are bugs that somebody thought of. Mutants are bugs that nobody chose: \`npm run mutate\` makes one small change at a time to the reference store
(core and the memory backend, as far as \`memory:\` loads them) and lets the kit alone judge the result. An operator becomes another one, a condition becomes true or false, a number
grows by one, a text becomes empty, a statement, a filter or a spread disappears. Texts for people are left alone, because messages are no part of the contract.

There are ${total} mutants. These are random samples of them:

| seed | judged | killed | equivalent | survived | killed, of those that change behavior under the contract |
|---|---|---|---|---|---|
${samples.map(rowOf).join('\n')}

*Equivalent* means that a mutant changes nothing that the contract promises. This was judged by hand after the survivors were seen; the reasons are below. A mutant that hangs counts as killed.
A case that is slow but still gets answers is given more time. Only the cases that call the function that it is in judge it, as one run of the kit on the sound store tells.
Cases were added for the rules behind the survivors of the samples that are not marked as fresh, so these say more about the kit's past than a fresh one.

\`npm run mutate -- --sample 50 --seed 7\` judges others, \`--file trim-plan\` those of one file. \`npm run test:long\` judges the beginning of the sample with seed ${samples[0]?.seed} and fails
if a mutant survives that is not listed here.

## Survived

These change what a store does, and no case notices. Each is a case that is still to be written.

${table(survived, () => '')}
## Equivalent

${table(equivalent, ({ mutant }) => whyEquivalent(mutant) ?? '')}`
}

function rowOf({ seed, isFresh, judged }: Sample): string {
  const left = judged.filter(({ killedBy }) => killedBy === null)
  const equivalent = left.filter(({ mutant }) => whyEquivalent(mutant) !== null).length
  const killed = judged.length - left.length
  const share = ((100 * killed) / (judged.length - equivalent)).toFixed(1)
  const survived = left.length - equivalent
  return `| ${seed}${isFresh ? ' (fresh)' : ''} | ${judged.length} | ${killed} | ${equivalent} | ${survived} | **${share} %** |`
}

function unique(judged: readonly Judged[]): Judged[] {
  return [...new Map(judged.map((one) => [JSON.stringify(one.mutant), one])).values()]
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
