import { type Level, levels } from '../../src/conformance/case.ts'
import { allCases } from '../../src/conformance/cases/all-cases.ts'
import { readClauses } from '../../src/conformance/clauses.ts'
import { allGoldfish } from '../../src/conformance/goldfish/all-goldfish.ts'
import type { GoldfishResult } from './goldfish-results.ts'

/** The names of the goldfish that each case catches, by the case's id. */
export type Catches = ReadonlyMap<string, readonly string[]>

/** The results, and for goldfish that were not judged, what the page already says. */
export function catchesOf(results: ReadonlyMap<string, GoldfishResult>, said: Catches = new Map()): Catches {
  const isCaught = (id: string, name: string) =>
    results.get(name)?.caughtBy.includes(id) ?? said.get(id)?.includes(name) ?? false
  const caughtBy = (id: string) => allGoldfish.filter(({ name }) => isCaught(id, name))
  return new Map(allCases.map(({ id }) => [id, caughtBy(id).map(({ name }) => name)]))
}

/** Reads a page back. */
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

/** The case recorded as the catcher of each goldfish: the first of those that are cheap to run. */
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

/** Reads the catcher of each goldfish back from a page. */
export function catchersOn(page: string): Map<string, string> {
  const said = page.matchAll(/^### ([a-z0-9-]+)\n\n.*\n\n.*Caught by (\S+)\.(?: |$)/gm)
  return new Map([...said].map(([, name = '', catcher = '']) => [name, catcher]))
}

/** docs/goldfish.md: for each clause, its cases and the goldfish that each of them caught. */
export function goldfishPage(catches: Catches): string {
  const counts = levels.map((level) => `${allCases.filter((one) => one.level === level).length} ${level}`)
  const lines = [
    '# Goldfish',
    '',
    '<!-- Written by `npm run goldfish`: the results of one run. `npm run test:all` runs everything again, and fails unless each case catches a goldfish listed next to it here, and each goldfish is caught by its catcher. -->',
    '',
    'A conformance kit that nobody tests gives false comfort. So each case has to catch stores that are broken on purpose. A *goldfish*',
    'is a store with one way of forgetting that is otherwise sound. CI checks that',
    '',
    '- each goldfish is caught by the case recorded here as its catcher, 20 out of 20 times if it takes a race;',
    '- each passes at least three quarters of the cases it qualifies for, judged by a fifth of them (a store that returns nothing is not a goldfish);',
    '- each case is the catcher of at least one goldfish that names its clause;',
    '- honest stores pass everything, even odd ones: slow, with extra fields, with frozen results, with their own result classes,',
    '  with other snapshot ids, or made of nothing but lists.',
    '',
    `There are ${allGoldfish.length} goldfish and ${allCases.length} cases (${counts.join(', ')}). Watch one get caught:`,
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
