import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const page = readFileSync(path('docs/golden-databases.md'), 'utf8')

/** Runs the tests of the example as its user does, on one version of the memory. Nothing is written. */
async function runStory(version: string): Promise<{ code: number | null; output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|CI$|NODE_ENV$|FORCE_COLOR$)/.test(name))
  const env = { ...Object.fromEntries(own), MEMORY_MANAGER: version, SNAPSHOT_UPDATE: 'none', NO_COLOR: '1' }
  const args = ['run', '--root', path('examples/rollback-story'), '--config', path('vitest.config.ts')]
  const child = spawn(process.execPath, [path('node_modules/vitest/vitest.mjs'), ...args, '--no-cache'], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: stripVTControlCharacters(output) }
}

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
