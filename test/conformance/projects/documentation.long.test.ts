import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../../support/packed-project.ts'

const run = promisify(execFile)

/** What is different each time. */
const steady = (text: string) =>
  text.replace(/unforget \d\S+, Node \S+, \w+ \w+,/, '<versions>').replace(/ in \d+\.\d s:/, ' in <time>:')

/** What stays on a terminal: the lines of the cases come before it only where there is none. */
const reportIn = (text: string) => text.slice(text.indexOf('\n\n') + 2)

test('docs/prove-your-store.md: the store, its report and the three lines for Vitest are as the page says', async () => {
  const page = await readFile(new URL('../../../docs/prove-your-store.md', import.meta.url), 'utf8')
  const block = (language: string, beginning: string) =>
    page
      .split(`\n\`\`\`${language}\n`)
      .slice(1)
      .map((rest) => rest.slice(0, rest.indexOf('\n```') + 1))
      .find((text) => text.startsWith(beginning)) ?? ''
  const cwd = await packedProject({
    also: ['tsx', 'vitest'],
    files: {
      'package.json': JSON.stringify({ type: 'module' }),
      'my-store.ts': block('ts', "import { defineStore } from 'unforget/conformance'"),
      'their-store.ts': block('ts', "import { defineStore } from 'unforget/conformance'\n\n/** Somebody"),
      'my-store.test.ts': block('text', "import { describeStore } from 'unforget/conformance/vitest'"),
    },
  })
  const [line = '', ...output] = block('console', '$ npx unforget prove').split('\n')
  const ended = (file: string, args: readonly string[]) =>
    run(file, args, { cwd, env: { ...process.env, NO_COLOR: '1', VITEST: '' } }).catch(
      (error: { stdout: string }) => error,
    )
  const [, command = '', ...args] = line.split(' ')
  const proved = await ended(command, ['--no-install', ...args])
  expect(steady(reportIn(proved.stdout))).toBe(steady(output.join('\n')))
  const adapted = await ended(command, ['--no-install', 'unforget', 'prove', './their-store.ts', '--level', 'core'])
  expect(adapted.stdout).toMatch(/\ncore +(\d+) of 23 offered, \1 hold +\1 +0 +\d+\n/)
  expect(adapted.stdout).toContain(': everything offered holds\n')
  const tested = await ended(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose'])
  expect(tested.stdout).toMatch(/✓ my-store\.test\.ts > my store > core > adding\.6\/fifty-writers-at-once: /)
  expect(tested.stdout).toMatch(/× my-store\.test\.ts > my store > core > trimming\.3\/tool-calls-keep-their-results: /)
})
