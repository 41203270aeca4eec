import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runExample } from '../support/run-example.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/golden-databases.md', import.meta.url)), 'utf8')

const runStory = (version: string) => runExample('rollback-story', { MEMORY_MANAGER: version })

test('the right memory passes its unit tests and its golden test', async () => {
  const { code, output } = await runStory('right')
  expect(output).toContain('✓ test/unit.test.ts (4 tests)')
  expect(output).toContain('✓ test/golden.test.ts (1 test)')
  expect(code).toBe(0)
})

test.each([
  ['wipes-snapshots', 'table snapshots: 2 rows removed'],
  ['wipes-conversation', 'table conversations: 2 rows removed'],
])('the memory that %s passes its unit tests, and its golden test tells what it lost', async (version, lost) => {
  const { code, output } = await runStory(version)
  expect(output).toContain('✓ test/unit.test.ts (4 tests)')
  expect(output).toContain('× roll back dirty data to a previous snapshot')
  expect(output).toContain('Tests  1 failed | 4 passed (5)')
  expect(code).toBe(1)
  const [told = ''] = new RegExp(`^${lost}\n(?: .*\n)+`, 'm').exec(output) ?? []
  expect(told).toContain("session='s1'")
  expect(page, 'the page shows the red output').toContain(told)
})
