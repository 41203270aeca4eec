import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'

test('rewind puts entries of any kind in place of what it cuts, in one commit', async () => {
  const memory = await openMemory('memory:')
  await memory.addMessages('s', [{ role: 'user', content: 'old' }])
  const { version } = await memory.addEntries('s', [{ kind: 'record', record: { type: 'state', step: 1 } }])
  const entries = [
    { kind: 'record' as const, record: { type: 'state', step: 2 } },
    { kind: 'message' as const, message: { role: 'user', content: 'new' } },
  ]
  await expect(memory.rewind('s', { to: 0, entries, ifVersion: null })).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
  })
  const { removed, seqs } = await memory.rewind('s', { to: 0, entries, ifVersion: version, operationId: 'once' })
  expect(removed.map(({ kind }) => kind)).toEqual(['message', 'record'])
  expect(await memory.getEntries('s')).toMatchObject(entries.map((entry, index) => ({ ...entry, seq: seqs[index] })))
  expect(await memory.rewind('s', { to: 0, entries, operationId: 'once' })).toMatchObject({ seqs })
  await expect(memory.rewind('s', { to: 0, entries, add: [] })).rejects.toThrow(TypeError)
  await expect(
    memory.rewind('s', { to: 0, entries: [{ kind: 'record', record: { type: '' } }] }),
  ).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
  })
})
