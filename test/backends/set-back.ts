import { expect } from 'vitest'
import type { MemoryStore } from '../../src/index.ts'

const turn = (content: string) => ({ role: 'user' as const, content })

/** Twenty turns in the second epoch of session `s`, and a session `healthy`. Returns the version of `s`. */
export async function planted(memory: MemoryStore): Promise<string> {
  await memory.addMessages('healthy', [turn('here')])
  for (let count = 1; count <= 10; count++) await memory.addMessages('s', [turn(`${count}`)])
  await memory.saveSnapshot('s', { id: 'p' })
  await memory.trim('s', { maxEntries: 8 })
  for (let count = 11; count <= 20; count++) await memory.addMessages('s', [turn(`${count}`)])
  const info = await memory.sessionInfo('s')
  return info?.version ?? expect.fail('no session')
}

/** Every call on `s` throws `MEMORY_LOST` and changes nothing, `verify` lists it, and another session is as it was. */
export async function expectSetBack(memory: MemoryStore, version: string): Promise<void> {
  const calls: Record<string, () => Promise<unknown>> = {
    getHistory: () => memory.getHistory('s'),
    'getHistory of the last': () => memory.getHistory('s', { last: 2 }),
    'getHistory of a snapshot': () => memory.getHistory('s', { at: 'p' }),
    'getHistory of at least a version': () => memory.getHistory('s', { atLeast: version }),
    getEntries: () => memory.getEntries('s'),
    addMessages: () => memory.addMessages('s', [turn('one more')]),
    'addMessages of many': () =>
      memory.addMessages(
        's',
        Array.from({ length: 9 }, () => turn('more')),
      ),
    'addMessages with an operation': () => memory.addMessages('s', [turn('one more')], { operationId: 'o' }),
    recordToolCall: () => memory.recordToolCall('s', { id: 'c', name: 'n' }),
    saveSnapshot: () => memory.saveSnapshot('s'),
    rollbackToSnapshot: () => memory.rollbackToSnapshot('s', 'p'),
    listSnapshots: () => memory.listSnapshots('s'),
    trim: () => memory.trim('s', { maxEntries: 1 }),
    clear: () => memory.clear('s'),
    sessionInfo: () => memory.sessionInfo('s'),
    exportSession: () => memory.exportSession('s'),
  }
  for (const [name, call] of Object.entries(calls)) {
    await expect(call(), name).rejects.toMatchObject({ code: 'MEMORY_LOST', session: 's' })
  }
  expect(await memory.listSessions()).toMatchObject({ sessions: [{ id: 'healthy' }], damaged: ['s'] })
  const listed = new Set<string>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await memory.listSessions({ limit: 1, cursor })
    for (const id of [...page.sessions.map((session) => session.id), ...page.damaged]) listed.add(id)
    cursor = page.cursor
  }
  expect(listed).toEqual(new Set(['healthy', 's']))
  expect((await memory.verify()).damage).toMatchObject([{ session: 's' }])
  expect((await memory.sweep()).damaged).toEqual(['s'])
  expect(await memory.getHistory('healthy')).toHaveLength(1)
  expect(await memory.deleteSession('s')).toBe(true)
  expect((await memory.verify()).ok).toBe(true)
}
