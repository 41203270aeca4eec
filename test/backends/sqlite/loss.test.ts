import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: 'user' as const,
    content: `turn ${index + 1}`,
    data: new Uint8Array([index]),
  }))

/** A memory with one session of ten turns and two summaries, and another client on its file. */
async function planted(): Promise<{ memory: MemoryStore; raw: Database.Database }> {
  const file = join(await temporaryFolder(), 'agent.db')
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turns(10))
  await memory.addSummary('s', { text: 'a', embedding: [1, 0] })
  await memory.addSummary('s', { text: 'b', embedding: [0, 1] })
  await memory.saveSnapshot('s', { id: 'p' })
  await memory.addMessages('healthy', turns(2))
  const raw = new Database(file)
  raw.pragma('foreign_keys = OFF')
  onTestFinished(async () => {
    raw.close()
    await memory.close()
  })
  return { memory, raw }
}

async function expectLost(call: Promise<unknown>, seqs: number[]): Promise<void> {
  await expect(call).rejects.toMatchObject({ code: 'MEMORY_LOST', session: 's', seqs })
}

test('loss.1: a deleted entry', async () => {
  const { memory, raw } = await planted()
  raw.exec('DELETE FROM entries WHERE seq IN (3, 7) AND session = 1')
  await expectLost(memory.getHistory('s'), [3, 7])
  await expectLost(memory.getEntries('s'), [3, 7])
  await expectLost(memory.getHistory('s', { last: 9 }), [7])
  await expectLost(memory.getHistory('s', { at: 'p' }), [3, 7])
  await expectLost(memory.trim('s', { maxEntries: 2 }), [3, 7])
  await expectLost(memory.fork('s', 't'), [3, 7])
  expect((await memory.getEntries('s', { last: 5 })).length).toBe(5)
  expect((await memory.getHistory('healthy')).length).toBe(2)
  expect((await memory.verify()).damage).toMatchObject([{ session: 's', seqs: [3, 7] }])
})

test('loss.1: a deleted summary', async () => {
  const { memory, raw } = await planted()
  raw.exec('DELETE FROM entries WHERE seq = 11 AND session = 1')
  await expectLost(memory.recall('s', [1, 0]), [11])
  await expectLost(memory.getHistory('s', { maxEntries: 3 }), [11])
})

test('loss.2: a deleted session row with entries left', async () => {
  const { memory, raw } = await planted()
  raw.exec("DELETE FROM sessions WHERE id = 's'")
  const all = Array.from({ length: 12 }, (_, index) => index + 1)
  await expectLost(memory.getHistory('s'), all)
  await expectLost(memory.sessionInfo('s'), all)
  await expectLost(memory.listSnapshots('s'), all)
  await expectLost(memory.addMessages('s', turns(1)), all)
  expect(await memory.listSessions()).toMatchObject({ sessions: [{ id: 'healthy' }], damaged: ['s'], cursor: null })
  await expectLost(memory.clearAll(), all)
  expect(await memory.getHistory('healthy')).toEqual([])
  expect((await memory.verify()).damage).toMatchObject([{ session: 's', seqs: all }])
  expect((await memory.sweep()).damaged).toEqual(['s'])
  expect(raw.prepare('SELECT count(*) FROM entries WHERE session = 1').pluck().get()).toBe(12)
  expect(await memory.deleteSession('s')).toBe(true)
  expect(raw.prepare('SELECT count(*) FROM entries WHERE session = 1').pluck().get()).toBe(0)
  expect((await memory.verify()).ok).toBe(true)
  expect(await memory.getHistory('s')).toEqual([])
})

test('loss.2: a deleted path', async () => {
  const { memory, raw } = await planted()
  raw.exec("DELETE FROM epochs WHERE id = 's'")
  await expectLost(memory.getHistory('s'), [])
  await expectLost(memory.getHistory('s', { at: 'p' }), [])
  await expectLost(memory.listSnapshots('s'), [])
  expect((await memory.verify()).damage).toMatchObject([{ session: 's' }])
})

test('loss.4: entries that belong to no session at all', async () => {
  const { memory, raw } = await planted()
  raw.exec("DELETE FROM sessions WHERE id = 's'; DELETE FROM epochs WHERE id = 's'")
  expect((await memory.verify()).damage).toMatchObject([{ session: null, reason: /12 entries belong to no session/ }])
})

test.each([
  ['a truncated body', 'UPDATE entries SET body = substr(body, 1, 12) WHERE seq = 5'],
  ['an empty body', "UPDATE entries SET body = '' WHERE seq = 5"],
  ['a body of another type', "UPDATE entries SET body = '[1,2]' WHERE seq = 5"],
  ['a body that is null', "UPDATE entries SET body = 'null' WHERE seq = 5"],
  ['a body without its content', `UPDATE entries SET body = '{"role":"user"}' WHERE seq = 5`],
  ['an unknown kind', "UPDATE entries SET kind = 'dream' WHERE seq = 5"],
  ['a format of the future', 'UPDATE entries SET format = 99 WHERE seq = 5'],
  ['truncated bytes', 'UPDATE entries SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE seq = 5'],
  ['foreign bytes', "UPDATE entries SET bytes = x'ffffffff00' WHERE seq = 5"],
  ['bytes too many', "UPDATE entries SET bytes = CAST(bytes || x'00' AS BLOB) WHERE seq = 5"],
])('loss.3: %s', async (_name, sql) => {
  const { memory, raw } = await planted()
  raw.exec(`${sql} AND session = 1`)
  await expectLost(memory.getHistory('s'), [5])
  await expectLost(memory.getHistory('s', { last: 6 }), [5])
  await expectLost(memory.fork('s', 't'), [5])
  expect(await memory.sessionInfo('t')).toBe(null)
  expect((await memory.verify('s')).damage).toMatchObject([{ session: 's', seqs: [5] }])
})

test('loss.3: a value of a wrong type, planted past the schema', async () => {
  const { memory, raw } = await planted()
  raw.unsafeMode(true)
  raw.pragma('writable_schema = ON')
  raw.exec("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'entries'")
  raw.pragma('writable_schema = RESET')
  raw.exec("UPDATE entries SET body = x'00ff' WHERE seq = 2 AND session = 1")
  raw.exec("UPDATE entries SET at = 'noon' WHERE seq = 4 AND session = 1")
  await expectLost(memory.getEntries('s', { last: 9 }), [4])
  await expectLost(memory.getHistory('s'), [2, 4])
  expect((await memory.verify('s')).damage.map(({ seqs }) => seqs)).toEqual([[2], [4]])
})

test('loss.4: verify lists every place and does not stop at the first', async () => {
  const { memory, raw } = await planted()
  raw.exec(
    "DELETE FROM entries WHERE session = 1 AND seq = 2; UPDATE entries SET body = 'x' WHERE session = 1 AND seq IN (4, 6)",
  )
  raw.exec("UPDATE entries SET body = '{' WHERE session = 2 AND seq = 1")
  const { ok, damage } = await memory.verify()
  expect(ok).toBe(false)
  expect(damage.map(({ session, seqs }) => [session, seqs])).toEqual([
    ['healthy', [1]],
    ['s', [2]],
    ['s', [4]],
    ['s', [6]],
  ])
})

test('transfer.5: a session of which anything is lost is not exported', async () => {
  const { memory, raw } = await planted()
  raw.exec(
    "DELETE FROM entries WHERE session = 1 AND seq = 2; UPDATE entries SET body = 'x' WHERE session = 1 AND seq = 4",
  )
  await expectLost(memory.exportSession('s'), [2, 4])
  expect((await memory.exportSession('healthy')).entries.length).toBe(2)
  raw.exec("DELETE FROM epochs WHERE id = 's'")
  await expectLost(memory.exportSession('s'), [])
  expect((await memory.stats()).damaged).toEqual(['s'])
})

test('loss.4: a damaged page is a place like any other', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const writer = await openMemory(`sqlite:${file}`)
  await writer.addMessages('first', turns(3))
  for (let batch = 0; batch < 5; batch++) await writer.addMessages('s', [{ role: 'user', content: 'x'.repeat(20_000) }])
  await writer.addMessages('last', turns(3))
  await writer.close()
  const bytes = await readFile(file)
  const inner = new Database(file, { readonly: true })
  const leaf = inner.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'").pluck().get() as number
  inner.close()
  bytes.fill(0xff, (leaf - 1) * 4096, leaf * 4096)
  await writeFile(file, bytes)
  await using memory = await openMemory(`sqlite:${file}`)
  await expect(memory.getHistory('s')).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  const { damage } = await memory.verify()
  expect(new Set(damage.map(({ session }) => session))).toEqual(new Set(['first', 'last', 's', null]))
})

test('loss.5: loss is told to those who listen', async () => {
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel')
  const { memory, raw } = await planted()
  const heard: unknown[] = []
  const listen = (message: unknown) => heard.push(message)
  subscribe('unforget:lost', listen)
  onTestFinished(() => void unsubscribe('unforget:lost', listen))
  raw.exec('DELETE FROM entries WHERE seq = 3 AND session = 1')
  await expectLost(memory.getHistory('s'), [3])
  expect(heard).toMatchObject([{ session: 's', seqs: [3] }])
})
