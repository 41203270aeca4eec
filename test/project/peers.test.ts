import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { programs } from '../../peers/checkpointers/programs.ts'
import { programFile, type Results, withSection } from '../../peers/checkpointers/section.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const results = JSON.parse(read('peers/checkpointers/results.json')) as Results

test('docs/peers.md tells of checkpointers what the recorded run printed', () => {
  const page = read('docs/peers.md')
  expect(withSection(page, results)).toBe(page)
})

test('every program was run with each of its savers, and no other result is kept', () => {
  const run = Object.entries(results.printed).map(([id, printed]) => [id, Object.keys(printed)])
  expect(run).toEqual(programs.map(({ id, savers }) => [id, [...savers]]))
  expect(Object.values(results.printed).flatMap((printed) => Object.values(printed))).not.toContain('')
})

test.each(programs.map(({ id }) => id))('%s has at most 15 lines and does not use the kit', (id) => {
  const code = readFileSync(programFile(id), 'utf8')
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  expect(code).not.toMatch(/conformance|unforget\//)
})

test('the versions are those that the project and peers/ install', () => {
  const installed = ['package-lock.json', 'peers/package-lock.json'].map(
    (lock) => (JSON.parse(read(lock)) as { packages: Record<string, { version?: string }> }).packages,
  )
  for (const [name, version] of Object.entries(results.versions).filter(([one]) => one.startsWith('`'))) {
    const place = `node_modules/${name.replaceAll('`', '')}`
    expect(
      installed.map((packages) => packages[place]?.version),
      name,
    ).toContain(version)
  }
})
