import { levels } from '../../src/conformance/case.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { readClauses } from '../../src/conformance/clauses.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import type { GoldfishResult } from './goldfish-results.ts'

/** docs/goldfish.md: clause by clause, which cases check it and which goldfish each of them was seen to catch. */
export function goldfishPage(results: ReadonlyMap<string, GoldfishResult>): string {
  const caught = (id: string) => allGoldfish.filter(({ name }) => results.get(name)?.caughtBy.includes(id))
  const counts = levels.map((level) => `${allCases.filter((one) => one.level === level).length} ${level}`)
  const lines = [
    '# Goldfish',
    '',
    '<!-- Written by `npm run goldfish`. CI runs every goldfish again and fails if this page says anything else. -->',
    '',
    'A conformance kit that nobody tests is a false comfort. So each case of ours has to catch stores that are broken on purpose: a',
    '*goldfish* is a store with one way of forgetting, otherwise sound. CI holds that',
    '',
    '- each goldfish is caught by a case of a clause that it says it breaks, twenty times of twenty where a race is involved;',
    '- each passes at least three quarters of the cases it offers what they need (a store that returns nothing is no goldfish);',
    '- each case is the catcher of at least one goldfish that names its clause;',
    '- honest stores pass everything, odd ones too: slow, with extra fields, with frozen results, with results of a class of their own,',
    '  with other snapshot ids, or made of nothing but lists.',
    '',
    `There are ${allGoldfish.length} goldfish and ${allCases.length} cases (${counts.join(', ')}). See one being caught:`,
    '',
    '```text',
    'npx unforget prove --goldfish rollback-wipes-the-snapshots',
    '```',
    '',
    '## Clause by clause',
  ]
  for (const [clause, sentence] of readClauses()) {
    const cases = allCases.filter((one) => one.clause === clause)
    if (cases.length === 0) continue
    lines.push('', `### ${clause}`, '', sentence, '', '| case | level | catches |', '|---|---|---|')
    for (const { id, level } of cases) {
      const names = caught(id).map(({ name }) => `[${name}](#${name})`)
      lines.push(`| ${id.slice(clause.length + 1)} | ${level} | ${names.join(', ')} |`)
    }
  }
  lines.push('', '## One by one')
  for (const { name, breaks, story, seen, races, on } of allGoldfish) {
    const notes = [
      `Breaks ${breaks.join(', ')}.`,
      races ? 'Takes a race.' : '',
      on === 'sqlite' ? 'Lives in a SQLite file.' : '',
      seen ? `Seen in the wild: <${seen}>.` : '',
    ]
    lines.push('', `### ${name}`, '', story, '', notes.filter((note) => note !== '').join(' '))
  }
  return `${lines.join('\n')}\n`
}
