import type { Report } from 'unforget/conformance'
import { expect, onTestFinished, test } from 'vitest'
import { hasTerminal, shell, start, startOnTerminal, unforget } from '../../cli/support/run-cli.ts'
import { moduleOf, storeModule, storeWith } from './support/store-module.ts'

const first = 'isolation.3/two-conversations-interleaved'
const clearing = 'clearing.1/empty-and-goes-on'
const both = ['--case', first, '--case', clearing]
const neverClears = () => storeWith('clear: () => new Promise(() => {})')

test('without a terminal, a case is told as it ends, and one that hangs is named before its deadline', async () => {
  const { cwd, file } = await neverClears()
  const running = start(['prove', file, ...both, '--deadline', '3600'], { cwd })
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const named = `still running: ${clearing} \\(\\d+ s\\)\\n`
  await running.says(new RegExp(named))
  expect(running.stdout).toMatch(new RegExp(`^passed  ${first}  \\d+\\.\\d s\\n${named}`))
  await running.says(new RegExp(`${named}${named}`))
  running.child.kill('SIGTERM')
  const { stderr, code } = await running.ended
  expect(code).toBe(143)
  expect(stderr).toMatch(new RegExp(`^unforget: interrupted at ${clearing} \\(\\d+ s\\)\\n$`))
})

test('a store none of whose calls returns: every case has its line, then comes the report', async () => {
  const never = '() => new Promise(() => {})'
  const { cwd, file } = await storeWith(`addMessages: ${never}, getHistory: ${never}, trim: ${never}, clear: ${never}`)
  const { stdout, code } = await unforget(['prove', file, ...both, '--deadline', '0.2'], { cwd })
  expect(code).toBe(4)
  const [told = '', report = ''] = stdout.split('\n\n')
  const lines = told.split('\n').filter((line) => !line.startsWith('still running'))
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/^not finished \(hung\) {2}[a-z]+\.\d+\/[a-z0-9-]+ {2}\d+\.\d s$/)
  expect(report).toMatch(/^my store {2}unforget /)
})

test('with --json the lines are on stderr, and stdout is one document', async () => {
  const { cwd, file } = await neverClears()
  const { stdout, stderr, code } = await unforget(['prove', file, ...both, '--deadline', '2', '--json'], { cwd })
  expect(code).toBe(4)
  const { cases } = JSON.parse(stdout) as Report
  expect(cases.map(({ id, status }) => [id, status])).toEqual([
    [first, 'passed'],
    [clearing, 'not finished'],
  ])
  expect(stderr).toMatch(
    new RegExp(
      `^passed  ${first}  \\d+\\.\\d s\\n(still .*\\n)*not finished \\(hung\\)  ${clearing}  \\d+\\.\\d s\\n$`,
    ),
  )
})

test('a store that does not open is named while it does not', async () => {
  const { cwd, file } = await moduleOf('export default { name: "x", open: () => new Promise(() => {}) }')
  const running = start(['prove', file], { cwd })
  onTestFinished(() => void running.child.kill('SIGKILL'))
  await running.says(/still running: opening the store \(\d+ s\)\n/)
  running.child.kill('SIGINT')
  const { stderr, code } = await running.ended
  expect({ stderr, code }).toEqual({
    stderr: expect.stringMatching(/ interrupted at opening the store \(\d+ s\)\n$/),
    code: 130,
  })
})

test('whoever stops reading ends it', async () => {
  const { cwd, file } = await storeModule()
  const { stdout, stderr, code } = await shell(`unforget prove ${file} --level core | head -n 1`, { cwd })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toMatch(/^passed {2}\S+ {2}\d+\.\d s\n$/)
})

test.skipIf(!hasTerminal)('on a terminal the report is all that stays', async () => {
  const { cwd, file } = await storeModule()
  const { stdout, code } = await startOnTerminal(['prove', file, '--case', clearing], { cwd }).ended
  expect(code).toBe(0)
  expect(stdout).toContain('proving')
  expect(stdout).not.toMatch(/passed {2}clearing/)
})
