import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { unforget } from './support/run-cli.ts'

test('an export that 0.1 wrote is imported whole, and goes on', async () => {
  const cwd = await temporaryFolder()
  await copyFile(new URL('./golden/export-1.jsonl', import.meta.url), join(cwd, 'old.jsonl'))
  const imported = await unforget(['import', 'new.db', 'old.jsonl'], { cwd })
  expect(imported).toEqual({ stdout: 'imported 2 sessions, 8 entries\n', stderr: '', code: 0 })
  const again = await unforget(['import', 'new.db', 'old.jsonl'], { cwd })
  expect(again.stdout).toBe('imported 0 sessions, 0 entries, 2 already present\n')
  await using memory = await openMemory(`sqlite:${join(cwd, 'new.db')}`)
  expect((await memory.verify()).damage).toEqual([])
  expect(await memory.sessionInfo('user-42')).toMatchObject({
    version: 'afa0f00e3136.9.57e2d45b4c85',
    epoch: 'afa0f00e3136.3.bcabcb13305a',
    expiresAt: Date.UTC(2126, 0, 1),
    owner: null,
    title: null,
    metadata: null,
  })
  expect([...(await memory.getHistory('user-42'))]).toEqual([
    { role: 'assistant', content: 'Hello', data: new Uint8Array([0, 255]) },
    { role: 'user', content: 'Thanks' },
  ])
  expect((await memory.recall('user-42', [1, 0])).map(({ summary }) => summary.text)).toEqual(['Wang'])
  await memory.rollbackToSnapshot('user-42', 'before')
  expect((await memory.getHistory('user-42')).map(({ content }) => content)).toEqual([
    'be brief',
    'My name is Wang \0 \ud800',
    'Hello',
  ])
  await memory.describe('user-42', { owner: 'wang' })
  expect((await memory.listSessions({ owner: 'wang' })).sessions).toMatchObject([{ id: 'user-42' }])
})
