import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { plantedStore } from './support/planted-store.ts'
import { hasTerminal, shell, startOnTerminal, unforget } from './support/run-cli.ts'

const names = [
  'sessions',
  'history',
  'snapshots',
  'snapshot',
  'rollback',
  'fork',
  'describe',
  'expire',
  'delete',
  'verify',
  'sweep',
  'stats',
  'export',
  'import',
  'copy',
  'inspect',
  'schema',
  'prove',
  'goldfish',
  'golden',
]

test('help lists every command, and each has an example', async () => {
  const { cwd } = await plantedStore()
  const { stdout, stderr, code } = await unforget(['--help'], { cwd })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect([...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)).toEqual(names)
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
  for (const name of names) {
    const help = await unforget([name, '--help'], { cwd })
    expect(help.code).toBe(0)
    expect(help.stdout).toMatch(new RegExp(`\n\nExample:\n  \\$ unforget ${name} \\S+`))
    expect(help.stdout).toMatch(/--json/)
  }
  expect((await unforget(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('what cannot run says why in one sentence and exits with 2', async () => {
  const { cwd } = await plantedStore()
  for (const [args, sentence] of [
    [['dream'], "unforget: unknown command 'dream'; see unforget --help\n"],
    [['sessions'], "unforget: missing required argument 'store'; see unforget sessions --help\n"],
    [['sessions', 'agent.db', '--dream'], "unforget: unknown option '--dream'; see unforget sessions --help\n"],
    [
      ['history', 'agent.db', 'user-42', '--last', 'two'],
      "unforget: option '--last <n>' argument 'two' is invalid: expected a whole number; see unforget history --help\n",
    ],
    [['verify', 'agent.db', 'nobody'], 'unforget: there is no session "nobody"; nothing was changed\n'],
    [
      ['history', 'agent.db', 'user-42', '--at', 'dream'],
      'unforget: session "user-42" has no snapshot "dream"; nothing was changed\n',
    ],
  ] as const) {
    expect(await unforget(args, { cwd })).toEqual({ stdout: '', stderr: sentence, code: 2 })
  }
  expect((await unforget([], { cwd })).code).toBe(2)
})

test('a stack only with --debug', async () => {
  const { cwd } = await plantedStore()
  const { stderr, code } = await unforget(['sessions', 'none.db', '--debug'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^unforget: there is no file none\.db.*\n.*Error: .*\n {4}at /)
})

test('a closed pipe is no error', async () => {
  const { cwd, file } = await plantedStore()
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages(
    'long',
    Array.from({ length: 5000 }, (_, index) => ({ role: 'user', content: `turn ${index} ${'x'.repeat(100)}` })),
  )
  await memory.close()
  for (const line of [
    'unforget history agent.db long | head -1',
    'unforget history agent.db long --json | head -1',
    'unforget export agent.db | head -1',
    'unforget --help | head -1',
    'unforget history agent.db long --follow | head -1',
  ]) {
    const { stdout, stderr, code } = await shell(line, { cwd })
    expect({ stderr, code }, line).toEqual({ stderr: '', code: 0 })
    expect(stdout.split('\n').length, line).toBe(2)
  }
})

test.skipIf(!hasTerminal)('color and progress on a terminal only, and no color with NO_COLOR', async () => {
  const { cwd } = await plantedStore()
  const onTerminal = async (env: Record<string, string>) =>
    (await startOnTerminal(['verify', 'agent.db'], { cwd, env }).ended).stdout
  const colored = await onTerminal({})
  expect(colored).toContain('\x1b[32mall intact\x1b[0m')
  expect(colored).toMatch(/verifying \[[#.]{20}\] \d+ entr/)
  const plain = await onTerminal({ NO_COLOR: '1' })
  expect(plain).toContain('3 sessions, 8 entries: all intact')
  expect(plain.replaceAll('\x1b[2K', '')).not.toContain('\x1b')
  for (const env of [{}, { FORCE_COLOR: '1' }, { CI: 'true' }]) {
    expect((await unforget(['verify', 'agent.db'], { cwd, env })).stdout).toBe('3 sessions, 8 entries: all intact\n')
  }
})
