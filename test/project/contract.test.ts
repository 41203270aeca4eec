import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allCases } from '../../src/conformance/cases/all-cases.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const clauses = [...readFileSync(join(root, 'docs/contract.md'), 'utf8').matchAll(/^- \*\*(\w+\.\d+)\*\* \S/gm)].map(
  ([, id]) => id,
)

function clausesInTitles(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(root, folder, name), 'utf8').matchAll(/['"](\w+\.\d+): /g)])
    .map(([, id]) => id ?? '')
}

test('every clause has a case, and every case a clause', () => {
  const checked = [
    ...allCases.map(({ clause }) => clause),
    ...clausesInTitles('test/backends/sqlite'),
    ...clausesInTitles('test/backends/redis'),
    ...clausesInTitles('test/backends/postgres'),
    ...clausesInTitles('test/core'),
  ]
  expect(clauses.length).toBeGreaterThan(60)
  expect(new Set(clauses).size).toBe(clauses.length)
  expect(new Set(checked)).toEqual(new Set(clauses))
})

test('no two cases have the same name', () => {
  const names = allCases.map(({ clause, title }) => `${clause}: ${title}`)
  expect(new Set(names).size).toBe(names.length)
})
