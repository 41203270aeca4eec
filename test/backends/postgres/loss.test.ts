import { expect, test } from 'vitest'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer()

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: 'user' as const,
    content: `turn ${index + 1}`,
    data: new Uint8Array([index]),
  }))

/** A memory with one session of ten turns and two summaries, and a way to break it. */
async function planted() {
  const schema = freshSchema()
  const memory = await on.open(schema)
  await memory.addMessages('s', turns(10))
  await memory.addSummary('s', { text: 'a', embedding: [1, 0] })
  await memory.addSummary('s', { text: 'b', embedding: [0, 1] })
  await memory.saveSnapshot('s', { id: 'p' })
  await memory.addMessages('healthy', turns(2))
  return { memory, breakIt: (sql: string) => on.ask(`SET search_path = ${schema}; ${sql}`) }
}

async function expectLost(call: Promise<unknown>, seqs: number[]): Promise<void> {
  await expect(call).rejects.toMatchObject({ code: 'MEMORY_LOST', session: 's', seqs })
}

test('loss.1: a deleted entry', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('DELETE FROM entries WHERE seq IN (3, 7) AND session = 1')
  await expectLost(memory.getHistory('s'), [3, 7])
  await expectLost(memory.getEntries('s', { last: 6 }), [7])
  await expectLost(memory.getHistory('s', { at: 'p' }), [3, 7])
  await expectLost(memory.trim('s', { maxEntries: 2 }), [3, 7])
  expect((await memory.getEntries('s', { last: 5 })).length).toBe(5)
  expect((await memory.getHistory('healthy')).length).toBe(2)
  expect((await memory.verify()).damage).toMatchObject([{ session: 's', seqs: [3, 7] }])
})

test('loss.1: a deleted summary', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('DELETE FROM entries WHERE seq = 11 AND session = 1')
  await expectLost(memory.recall('s', [1, 0]), [11])
})

test('loss.1: a summary that is not listed for recall any more', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('DELETE FROM summaries WHERE seq = 11 AND session = 1')
  expect((await memory.verify()).damage).toMatchObject([{ session: 's', seqs: [11] }])
  await expectLost(memory.exportSession('s'), [11])
})

test('loss.2: a deleted session row with entries left', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('DELETE FROM sessions WHERE session = 1')
  const all = Array.from({ length: 12 }, (_, index) => index + 1)
  await expectLost(memory.getHistory('s'), all)
  await expectLost(memory.sessionInfo('s'), all)
  await expectLost(memory.listSnapshots('s'), all)
  await expectLost(memory.addMessages('s', turns(1)), all)
  await expectLost(memory.addMessages('s', [{ role: 'user', content: 'plain' }]), all)
  await expectLost(memory.clear('s'), all)
  expect(await memory.listSessions()).toMatchObject({ sessions: [{ id: 'healthy' }], damaged: ['s'], cursor: null })
  expect((await memory.verify()).damage).toMatchObject([{ session: 's', seqs: all }])
  expect((await memory.sweep()).damaged).toEqual(['s'])
  expect(await memory.deleteSession('s')).toBe(true)
  expect((await memory.verify()).ok).toBe(true)
  expect(await memory.getHistory('s')).toEqual([])
})

test('loss.2: a deleted path, and one that is no path', async () => {
  const { memory, breakIt } = await planted()
  await breakIt("UPDATE epochs SET path = '[1,' WHERE session = 1")
  await expectLost(memory.getHistory('s'), [])
  await expectLost(memory.getHistory('s', { last: 2 }), [])
  await breakIt('DELETE FROM epochs WHERE session = 1')
  await expectLost(memory.getHistory('s'), [])
  await expectLost(memory.getHistory('s', { at: 'p' }), [])
  await expectLost(memory.listSnapshots('s'), [])
  expect((await memory.verify()).damage).toMatchObject([{ session: 's' }])
})

test('loss.2: a state that was put back to an earlier one takes no more entries', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('UPDATE sessions SET last = last - 2 WHERE session = 1')
  await expectLost(memory.addMessages('s', [{ role: 'user', content: 'over an entry' }]), [])
  await expectLost(memory.addMessages('s', turns(1)), [])
})

test('loss.4: entries that belong to no session at all, and a session that would not be missed', async () => {
  const { memory, breakIt } = await planted()
  await breakIt('DELETE FROM sessions WHERE session = 1; DELETE FROM names WHERE session = 1')
  expect((await memory.verify()).damage).toMatchObject([{ session: null, reason: '12 entries belong to no session' }])
  await breakIt('DELETE FROM names')
  expect((await memory.verify()).damage).toMatchObject([{ session: 'healthy', seqs: [] }, { session: null }])
})

test.each([
  ['a truncated body', 'UPDATE entries SET body = left(body, 12) WHERE seq = 5'],
  ['an empty body', "UPDATE entries SET body = '' WHERE seq = 5"],
  ['a body without its content', `UPDATE entries SET body = '{"role":"user"}' WHERE seq = 5`],
  ['an unknown kind', "UPDATE entries SET kind = 'dream' WHERE seq = 5"],
  ['a format of the future', 'UPDATE entries SET format = 99 WHERE seq = 5'],
  ['truncated bytes', 'UPDATE entries SET bytes = substring(bytes FOR length(bytes) - 1) WHERE seq = 5'],
  ['bytes too many', "UPDATE entries SET bytes = bytes || '\\x00' WHERE seq = 5"],
])('loss.3: %s', async (_name, sql) => {
  const { memory, breakIt } = await planted()
  await breakIt(`${sql} AND session = 1`)
  await expectLost(memory.getHistory('s'), [5])
  await expectLost(memory.getHistory('s', { last: 8 }), [5])
  expect((await memory.verify('s')).damage).toMatchObject([{ session: 's', seqs: [5] }])
})
