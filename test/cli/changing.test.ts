import { openMemory } from 'unforget'
import { describe, expect, test } from 'vitest'
import { plantedStore } from './support/planted-store.ts'
import { hasTerminal, startOnTerminal, unforget } from './support/run-cli.ts'

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

async function historyOf(file: string): Promise<number[]> {
  await using memory = await openMemory(`sqlite:${file}`, { readOnly: true })
  return [...(await memory.getHistory('user-42')).seqs]
}

test('snapshot saves one', async () => {
  const { cwd, file } = await plantedStore()
  const { stdout, code } = await unforget(['snapshot', 'agent.db', 'user-42', '--label', 'mine'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^saved snapshot \S+\n$/)
  const json = await unforget(['snapshot', 'agent.db', 'user-42', '--id', 'own', '--json'], { cwd })
  expect(JSON.parse(json.stdout)).toEqual({
    id: 'own',
    label: null,
    automatic: false,
    at: expect.any(Number),
    version: expect.any(String),
    epoch: 'birth.1.path',
  })
  await using memory = await openMemory(`sqlite:${file}`)
  expect((await memory.listSnapshots('user-42')).map(({ id, label }) => label ?? id)).toEqual([
    'before the refund',
    'after',
    'mine',
    'own',
  ])
  expect(await unforget(['snapshot', 'agent.db', 'user-42', '--id', 'own'], { cwd })).toMatchObject({ code: 2 })
  expect(await unforget(['snapshot', 'agent.db', 'nobody'], { cwd })).toMatchObject({ code: 2 })
  expect(await memory.sessionInfo('nobody')).toBe(null)
})

test('rollback with --yes shows what changes and does it', async () => {
  const { cwd, file } = await plantedStore()
  const { stdout, stderr, code } = await unforget(['rollback', 'agent.db', 'user-42', 'before', '--yes'], { cwd })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout.replace(uuid, '<id>')).toBe(`session   user-42
snapshot  before (before the refund), saved 2026-01-02 10:04Z
now       6 entries
then      4 entries
- #5 assistant: Refunded.
- #6 summary: Wang got a refund
rolled back; the previous state is snapshot <id>
`)
  expect(await historyOf(file)).toEqual([1, 2, 3])
  const back = await unforget(['rollback', 'agent.db', 'user-42', 'after', '--yes'], { cwd })
  expect(back.stdout).toContain('+ #5 assistant: Refunded.\n+ #6 summary: Wang got a refund\n')
  const json = await unforget(['rollback', 'agent.db', 'user-42', 'bef', '--yes', '--json'], { cwd })
  expect(JSON.parse(json.stdout)).toEqual({
    session: 'user-42',
    snapshot: 'before',
    leftBehind: expect.stringMatching(uuid),
    version: expect.any(String),
    epoch: expect.any(String),
    removed: [5, 6],
    restored: [],
  })
})

test('rollback without a terminal and without --yes changes nothing', async () => {
  const { cwd, file } = await plantedStore()
  const { stderr, code } = await unforget(['rollback', 'agent.db', 'user-42', 'before'], { cwd, input: 'y\n' })
  expect({ stderr, code }).toEqual({
    stderr: 'unforget: stdin is not a terminal; pass --yes to roll back; nothing was changed\n',
    code: 2,
  })
  expect(await unforget(['rollback', 'agent.db', 'user-42', 'dream', '--yes'], { cwd })).toMatchObject({ code: 2 })
  expect(await historyOf(file)).toEqual([1, 2, 3, 5])
})

describe.skipIf(!hasTerminal)('rollback on a terminal', () => {
  test.each([
    ['yes', 'y\r', 0, 'rolled back', [1, 2, 3]],
    ['no', 'n\r', 2, 'unforget: nothing was changed', [1, 2, 3, 5]],
    ['nothing', '\r', 2, 'unforget: nothing was changed', [1, 2, 3, 5]],
    ['the end of input', '\x04', 2, 'unforget: nothing was changed', [1, 2, 3, 5]],
    ['Ctrl-C', '\x03', 130, 'Roll back?', [1, 2, 3, 5]],
  ])('asks, and %s is an answer', async (_name, keys, code, words, history) => {
    const { cwd, file } = await plantedStore()
    const running = startOnTerminal(['rollback', 'agent.db', 'user-42', 'before'], { cwd })
    await running.says('Roll back? [y/N] ')
    expect(running.stdout).toContain('- #5 assistant: Refunded.')
    running.child.stdin.write(keys)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    expect(ended.stdout).toContain(words)
    expect(await historyOf(file)).toEqual(history)
  })

  test('what was written while it asked makes it ask again', async () => {
    const { cwd, file } = await plantedStore()
    const running = startOnTerminal(['rollback', 'agent.db', 'user-42', 'before'], { cwd })
    await running.says('Roll back? [y/N] ')
    await using memory = await openMemory(`sqlite:${file}`)
    await memory.addMessages('user-42', [{ role: 'user', content: 'wait' }])
    running.child.stdin.write('y\r')
    const ended = await running.ended
    expect(ended.code).toBe(2)
    expect(ended.stdout).toContain('nothing was changed')
    expect(await historyOf(file)).toEqual([1, 2, 3, 5, 7])
  })
})

test('sweep removes what stats said it would', async () => {
  const { cwd, file } = await plantedStore()
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages(
    'many',
    Array.from({ length: 2500 }, (_, index) => ({ role: 'user', content: `turn ${index}` })),
  )
  await memory.clear('many')
  await memory.close()
  const { sweepable } = JSON.parse((await unforget(['stats', 'agent.db', '--json'], { cwd })).stdout)
  expect(sweepable.entries).toBeGreaterThan(0)
  const { stdout, code } = await unforget(['sweep', 'agent.db'], { cwd })
  expect({ stdout, code }).toEqual({ stdout: `removed ${sweepable.entries.toLocaleString('en')} entries\n`, code: 0 })
  expect(JSON.parse((await unforget(['sweep', 'agent.db', 'user-42', '--json'], { cwd })).stdout)).toEqual({
    entries: 0,
    damaged: [],
  })
  expect(await unforget(['sweep', 'agent.db', 'nobody'], { cwd })).toMatchObject({ code: 2 })
})
