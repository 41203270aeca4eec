import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { plantedStore } from './support/planted-store.ts'
import { start } from './support/run-cli.ts'

const says = (content: string) => [{ role: 'user' as const, content }]
const withoutTimes = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, '<time>')

test('follow shows turns of another process as they come, through rollback, clearing and deletion', async () => {
  const { cwd, file } = await plantedStore()
  await using memory = await openMemory(`sqlite:${file}`)
  const running = start(['history', 'agent.db', 'user-42', '--last', '1', '--follow'], { cwd })
  await running.says('Refunded.')
  await memory.addMessages('user-42', says('first'))
  await running.says('first')
  await memory.addMessages('user-42', [...says('second'), ...says('third')])
  await running.says('third')
  await memory.rollbackToSnapshot('user-42', 'before')
  await running.says('it now has 4 entries')
  await memory.addMessages('user-42', says('after the rollback'))
  await running.says('after the rollback')
  await memory.clear('user-42')
  await running.says('it now has 0 entries')
  await memory.deleteSession('user-42')
  await running.says('deleted')
  await memory.addMessages('user-42', says('again'))
  await running.says('again')
  running.child.kill('SIGINT')
  const { stdout, stderr, code } = await running.ended
  expect({ stderr, code }).toEqual({ stderr: '', code: 130 })
  expect(withoutTimes(stdout)).toBe(`#5 assistant  <time>
  Refunded.

#7 user  <time>
  first

#8 user  <time>
  second

#9 user  <time>
  third

-- the history changed: it now has 4 entries --

#10 user  <time>
  after the rollback

-- the history changed: it now has 0 entries --

-- the session was deleted or has expired --

-- the session was created again --

#1 user  <time>
  again
`)
})

test('follow with --json writes an object a line', async () => {
  const { cwd, file } = await plantedStore()
  await using memory = await openMemory(`sqlite:${file}`)
  const running = start(['history', 'agent.db', 'user-42', '--last', '1', '--all', '--follow', '--json'], { cwd })
  await running.says('Wang got a refund')
  const adding = async (content: string) => {
    await memory.addMessages('user-42', says(content))
    await running.says(content)
  }
  await memory.recordToolCall('user-42', { id: 'c', name: 'tool' })
  await running.says('toolCall')
  await adding('first')
  await memory.clear('user-42')
  await running.says('changed')
  await adding('second')
  running.child.kill('SIGINT')
  const { stdout, code } = await running.ended
  expect(code).toBe(130)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    expect.objectContaining({ kind: 'summary', seq: 6 }),
    { kind: 'toolCall', seq: 7, at: expect.any(Number), toolCall: { id: 'c', name: 'tool' } },
    { kind: 'message', seq: 8, at: expect.any(Number), message: says('first')[0] },
    { event: 'changed' },
    { kind: 'message', seq: 9, at: expect.any(Number), message: says('second')[0] },
  ])
})

test('Ctrl-C leaves the folder as it was', async () => {
  const { cwd } = await plantedStore()
  const before = await lookAtFolder(cwd)
  const running = start(['history', 'agent.db', 'user-42', '--follow'], { cwd })
  await running.says('Refunded.')
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
  expect(await lookAtFolder(cwd)).toEqual(before)
})
