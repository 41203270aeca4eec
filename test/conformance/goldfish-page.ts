import { type Level, levels } from '../../src/conformance/case.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { readClauses } from '../../src/conformance/clauses.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import type { GoldfishResult } from './goldfish-results.ts'

/** The names of the goldfish that each case catches, by the case's id. */
export type Catches = ReadonlyMap<string, readonly string[]>

/** What was seen, and for goldfish that were not judged what is said of them already. */
export function catchesOf(results: ReadonlyMap<string, GoldfishResult>, said: Catches = new Map()): Catches {
  const isCaught = (id: string, name: string) =>
    results.get(name)?.caughtBy.includes(id) ?? said.get(id)?.includes(name) ?? false
  const caughtBy = (id: string) => allGoldfish.filter(({ name }) => isCaught(id, name))
  return new Map(allCases.map(({ id }) => [id, caughtBy(id).map(({ name }) => name)]))
}

/** What a page says, read back. */
export function catchesOn(page: string): Catches {
  const catches = new Map<string, string[]>()
  for (const [, clause, section = ''] of page.matchAll(/^### (\w+\.\d+)\n(.*?)(?=^##)/gms)) {
    for (const [, slug, names = ''] of section.matchAll(/^\| ([\w-]+) \| \w+ \| (.*) \|$/gm)) {
      if (slug === 'case') continue
      catches.set(
        `${clause}/${slug}`,
        [...names.matchAll(/\[([\w-]+)\]/g)].map(([, name = '']) => name),
      )
    }
  }
  return catches
}

/** The one case that is recorded as the catcher of each goldfish: the first of those that are cheap to run. */
export function catchersIn(catches: Catches): Map<string, string> {
  const slow: readonly Level[] = ['processes', 'faults', 'model']
  const cheapFirst = [
    ...allCases.filter(({ level }) => !slow.includes(level)),
    ...allCases.filter(({ level }) => slow.includes(level)),
  ]
  return new Map(
    allGoldfish.flatMap(({ name }) => {
      const catcher = cheapFirst.find(({ id }) => catches.get(id)?.includes(name))
      return catcher === undefined ? [] : [[name, catcher.id] as const]
    }),
  )
}

/** What a page says of each goldfish, read back. */
export function catchersOn(page: string): Map<string, string> {
  const said = page.matchAll(/^### ([a-z0-9-]+)\n\n.*\n\n.*Caught by (\S+)\.(?: |$)/gm)
  return new Map([...said].map(([, name = '', catcher = '']) => [name, catcher]))
}

/** docs/goldfish.md: clause by clause, which cases check it and which goldfish each of them was seen to catch. */
export function goldfishPage(catches: Catches): string {
  const counts = levels.map((level) => `${allCases.filter((one) => one.level === level).length} ${level}`)
  const lines = [
    '# Goldfish',
    '',
    '<!-- Written by `npm run goldfish`: what was seen in one run. CI runs all again, and fails unless each case catches a goldfish that stands next to it here, and each goldfish is caught by its catcher. -->',
    '',
    'A conformance kit that nobody tests is a false comfort. So each case of ours has to catch stores that are broken on purpose: a',
    '*goldfish* is a store with one way of forgetting, otherwise sound. CI holds that',
    '',
    '- each goldfish is caught by the case that is recorded here as its catcher, twenty times of twenty if it takes a race;',
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
      const names = (catches.get(id) ?? []).map((name) => `[${name}](#${name})`)
      lines.push(`| ${id.slice(clause.length + 1)} | ${level} | ${names.join(', ')} |`)
    }
  }
  lines.push('', '## One by one')
  const catchers = catchersIn(catches)
  for (const { name, breaks, story, seen, races, on } of allGoldfish) {
    const notes = [
      `Breaks ${breaks.join(', ')}.`,
      catchers.has(name) ? `Caught by ${catchers.get(name)}.` : '',
      races ? 'Takes a race.' : '',
      on === 'sqlite' ? 'Lives in a SQLite file.' : '',
      seen ? `Seen in the wild: <${seen}>.` : '',
    ]
    lines.push('', `### ${name}`, '', story, '', notes.filter((note) => note !== '').join(' '))
  }
  return `${lines.join('\n')}\n`
}
