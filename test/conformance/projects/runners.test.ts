import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../../support/packed-project.ts'
import { soundStore } from '../running/support/store-module.ts'

const run = promisify(execFile)
const clearing = 'clearing.1/empty-and-goes-on'
const contract = await readFile(new URL('../../../docs/contract.md', import.meta.url), 'utf8')
const [, sentence = ''] = /^- \*\*clearing\.1\*\* (.*)$/m.exec(contract) ?? []

const stores = {
  sound: `${soundStore}\nexport default definition\n`,
  forgetful: `${soundStore}
definition.open = (request) => ({ ...openSound(request), clear: async () => {} })
export default definition
`,
  closed: 'export default { name: "closed", open() { throw new Error("no server") } }\n',
  empty: 'export default { name: "empty", open: () => ({}) }\n',
}

const runners = [
  { name: 'vitest', also: ['vitest'], command: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose'] },
  {
    name: 'jest',
    also: ['jest'],
    command: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--verbose'],
  },
  { name: 'node-test', also: [], command: ['--test', '--test-reporter=spec'] },
] as const

/** The three lines. */
const testOf = (store: string, runner: string) => `import { describeStore } from 'unforget/conformance/${runner}'

describeStore(new URL('./${store}.js', import.meta.url), { levels: ['core'] })
`

function filesFor(runner: string): Record<string, string> {
  const files = Object.entries(stores).flatMap(([name, code]) => [
    [`${name}.js`, code] as const,
    [`${name}.test.js`, testOf(name, runner)] as const,
  ])
  return { 'package.json': JSON.stringify({ type: 'module', jest: { transform: {} } }), ...Object.fromEntries(files) }
}

test.each(runners)('$name shows each case as a test, with the packed package', async ({ name, also, command }) => {
  const cwd = await packedProject({ also, files: filesFor(name) })
  const { NODE_OPTIONS, VITEST, NODE_TEST_CONTEXT, ...env } = process.env
  const runTests = (...files: string[]) =>
    run(process.execPath, [...command, ...files], { cwd, env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' } }).then(
      ({ stdout, stderr }) => ({ said: stdout + stderr, code: 0 }),
      ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ said: stdout + stderr, code }),
    )

  const green = await runTests('sound.test.js')
  expect(green.code, green.said).toBe(0)
  expect(green.said).toContain('my store')
  expect(new Set(green.said.match(/\b[a-z]+\.\d+\/[\w-]+/gi))).toHaveProperty('size', 23)
  expect(green.said).toMatch(/[✓✔] .*clearing\.1\/empty-and-goes-on: a cleared session is empty/)
  expect(green.said).toMatch(/[↓○﹣] .*ttl\.\d+\/[\w-]+: not offered, needs ttl/)
  expect(green.said).toMatch(/21 passed|pass 21/)
  expect(green.said).toMatch(/2 skipped|skipped 2/)

  const red = await runTests('forgetful.test.js', 'closed.test.js', 'empty.test.js')
  expect(red.code).toBe(1)
  expect(red.said).toContain(sentence)
  expect(red.said).toMatch(/expected:\s+\[\]/)
  expect(red.said).toMatch(/seen:\s+\[ \{ role: 'user', content: 'turn 1' \} \]/)
  expect(red.said).toMatch(/its calls:(\s+\w+\(.*\))*\s+clear\('s'\)/)
  expect(red.said).toMatch(new RegExp(`npx unforget prove \\./forgetful\\.js --case ${clearing} --seed \\d+`))
  expect(red.said).toContain('the store could not be opened: open rejected with Error: no server')
  expect(red.said).toContain('nothing was proved: the store qualifies for none of these cases')
})

test('npx unforget prove runs with the packed package', async () => {
  const cwd = await packedProject({ files: { 'sound.mjs': stores.sound, 'typed.ts': stores.sound } })
  const { npm_config_call, ...env } = process.env
  const npx = (...args: string[]) =>
    run('npx', ['--no-install', 'unforget', 'prove', ...args, '--level', 'core'], { cwd, env })
  expect((await npx('./sound.mjs')).stdout).toMatch(/\ncore +21 of 23 offered, 21 hold +21 +0 +2\n/)
  const loadsTypes = 'typescript' in process.features && process.features.typescript !== false
  const typed = npx('./typed.ts')
  if (loadsTypes) expect((await typed).stdout).toMatch(/\ncore +21 of 23 offered, 21 hold/)
  else
    await expect(typed).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install --save-dev tsx'),
    })
})
