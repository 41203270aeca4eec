import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { main } from './start-chat-server.ts'

const run = (...args: string[]) => spawnSync(process.execPath, ['--import', 'tsx', main, ...args], { encoding: 'utf8' })

test('--help lists the options', () => {
  const { status, stdout } = run('--help')
  expect(status).toBe(0)
  for (const option of ['--port', '--memory', '--model', '--lease', 'CHAT_MEMORY']) expect(stdout).toContain(option)
})

test.each([
  ['a port that is none', ['--port', 'x'], /^--port must be a whole number/],
  ['a memory of one process', ['--memory', 'memory:'], /two workers must share/],
  [
    'a memory that cannot be opened',
    ['--port', '0', '--memory', 'sqlite:/no/such/folder/chat.db'],
    /no such folder|folder/i,
  ],
])('%s is refused with a message and no stack', (_, args, message) => {
  const { status, stderr } = run(...args)
  expect(status).toBe(1)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain('    at ')
})
