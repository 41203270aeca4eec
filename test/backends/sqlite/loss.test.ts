import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
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
  await expectLost(memory.getEntries('s', { last: 6 }), [7])
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

/** Puts the row of the session back to what it was at a moment, checksum and all, as an old page of the file would. */
function rememberRow(raw: Database.Database): () => void {
  const row = raw.prepare("SELECT * FROM sessions WHERE id = 's'").get() as Record<string, unknown>
  const names = Object.keys(row)
  return () =>
    raw.prepare(`UPDATE sessions SET (${names}) = (${names.map(() => '?')}) WHERE id = 's'`).run(...Object.values(row))
}

test.each<[string, (memory: MemoryStore) => Promise<unknown>, number[]]>([
  ['an end', (memory) => memory.addMessages('s', turns(3)), [13, 14, 15]],
  ['an epoch', (memory) => memory.rollbackToSnapshot('s', 'p'), []],
])('loss.7: a state that was put back to %s that is not the last', async (_what, change, seqs) => {
  const { memory, raw } = await planted()
  const putBack = rememberRow(raw)
  const { version } = (await memory.getHistory('s')) as { version: string }
  await change(memory)
  putBack()
  await expectLost(memory.getHistory('s'), seqs)
  await expectLost(memory.getHistory('s', { atLeast: version }), seqs)
  await expectLost(memory.getHistory('s', { last: 1 }), seqs)
  await expectLost(memory.addMessages('s', turns(1)), seqs)
  await expectLost(memory.saveSnapshot('s'), seqs)
  await expectLost(memory.rollbackToSnapshot('s', 'p'), seqs)
  await expectLost(memory.listSnapshots('s'), seqs)
  await expectLost(memory.exportSession('s'), seqs)
  expect((await memory.listSessions()).damaged).toEqual(['s'])
  for (const found of [await memory.verify(), await memory.verify('s')]) {
    expect(found.damage).toMatchObject([{ session: 's', seqs }])
  }
  expect(await memory.deleteSession('s')).toBe(true)
  expect((await memory.verify()).damage).toEqual([])
})

test.each([
  ['the state of a session', "UPDATE sessions SET updated_at = updated_at + 1 WHERE id = 's'"],
  ['its expiry', "UPDATE sessions SET expires_at = 1 WHERE id = 's'"],
  ['its path', "UPDATE epochs SET path = '[2,null]' WHERE id = 's'"],
  ['a snapshot', "UPDATE snapshots SET end = 5 WHERE id = 'p'"],
  ['a snapshot that vanished', "DELETE FROM snapshots WHERE id = 'p'"],
])('loss.6: %s that changed in its row', async (_name, sql) => {
  const { memory, raw } = await planted()
  raw.exec(sql)
  await expectLost(memory.listSnapshots('s'), [])
  await expectLost(memory.getHistory('s', { at: 'p' }), [])
  await expectLost(memory.exportSession('s'), [])
  const { damage } = await memory.verify()
  expect(damage).toMatchObject([{ session: 's' }])
})

test.each([
  ['at', 'UPDATE entries SET at = at + 1 WHERE session = 1 AND seq = 3'],
  ['session', 'UPDATE entries SET session = 2 WHERE session = 1 AND seq = 3'],
  [
    'body',
    'UPDATE entries SET body = (SELECT body FROM entries WHERE session = 1 AND seq = 4) WHERE session = 1 AND seq = 3',
  ],
])('loss.6: an entry of another %s', async (_name, sql) => {
  const { memory, raw } = await planted()
  raw.exec(sql)
  await expectLost(memory.getHistory('s'), [3])
  expect((await memory.verify()).damage).toContainEqual(expect.objectContaining({ session: 's', seqs: [3] }))
})

test('loss.6: an operation that changed, or vanished from the list, is not applied again', async () => {
  const { memory, raw } = await planted()
  const again = () => memory.addMessages('s', turns(1), { operationId: 'named' })
  const { seqs } = await again()
  raw.exec("UPDATE operations SET committed = replace(committed, '13', '12') WHERE id = 'named'")
  await expectLost(again(), [])
  raw.exec("UPDATE operations SET id = 'nemed' WHERE id = 'named'")
  await using other = await openMemory(`sqlite:${raw.name}`)
  await expectLost(other.addMessages('s', turns(1), { operationId: 'named' }), [])
  expect((await memory.getHistory('s')).seqs).toEqual([...Array.from({ length: 10 }, (_, index) => index + 1), ...seqs])
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
  await expect(memory.addMessages('s', turns(1))).rejects.toMatchObject({ code: 'MEMORY_LOST', session: 's' })
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

test('loss.4: verify finds an index that leaves a row out, which only a full check does', async () => {
  const { memory, raw } = await planted()
  const index = "FROM sqlite_schema WHERE name = 'sessions_by_expiry'"
  const sql = raw.prepare(`SELECT sql ${index}`).pluck().get() as string
  const setSql = (text: string) => {
    raw.unsafeMode(true)
    raw.pragma('writable_schema = ON')
    raw.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'sessions_by_expiry'").run(text)
    raw.pragma('writable_schema = RESET')
  }
  setSql(`${sql} AND expires_at < 0`)
  await using other = await openMemory(`sqlite:${raw.name}`)
  await other.expire('s', { ttl: 1_000_000 })
  setSql(sql)
  expect(raw.pragma('quick_check', { simple: true })).toBe('ok')
  expect((await memory.verify()).damage).toMatchObject([
    { session: null, reason: expect.stringMatching(/missing from index sessions_by_expiry/) },
  ])
})

test('loss.4: a full check that takes longer than a call may does not fail verify', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using written = await openMemory(`sqlite:${file}`)
  await written.addMessages('s', turns(3))
  const damage = vi.spyOn(SqliteBackend.prototype, 'damage')
  onTestFinished(() => damage.mockRestore())
  /** How often a call ended before the check did. The timeout must be shorter than the check, and long enough for a call on a busy machine. */
  const endedBefore = async (timeout: number) => {
    await using memory = await openMemory(`sqlite:${file}`, { timeout })
    damage.mockClear()
    const found = await Promise.all([memory.verify(), memory.verify()]).catch((error: { code?: unknown }) => {
      expect(error.code).toBe('TIMEOUT')
      return null
    })
    if (found === null) return 0
    expect(found.map(({ ok, entries }) => [ok, entries])).toEqual([
      [true, 3],
      [true, 3],
    ])
    return damage.mock.settledResults.filter(({ value }) => value.done === false).length
  }
  for (const timeout of [20, 40, 80, 160, 320, 640]) if ((await endedBefore(timeout)) > 0) return
  expect.fail('every call waited for the whole check, or was late')
})

test('loss.6: operations whose ids count up are missed as well, and stay complete while the oldest are forgotten', async () => {
  const { memory, raw } = await planted()
  const say = (store: MemoryStore, number: number) =>
    store.addMessages('counting', [{ role: 'user', content: `${number}` }], { operationId: `turn ${number}` })
  for (let number = 0; number < 400; number++) await say(memory, number)
  await using other = await openMemory(`sqlite:${raw.name}`)
  expect((await say(other, 399)).seqs).toEqual([400])
  expect((await say(other, 400)).seqs).toEqual([401])
  raw.exec("DELETE FROM operations WHERE id BETWEEN 'turn 360' AND 'turn 367'")
  await using third = await openMemory(`sqlite:${raw.name}`)
  await expect(say(third, 360)).rejects.toMatchObject({ code: 'MEMORY_LOST', session: 'counting' })
  expect((await memory.sessionInfo('counting'))?.entries).toBe(401)
})

test('ttl.7: damaged sessions that have expired do not keep the others from being erased', async () => {
  const { memory, raw } = await planted()
  for (let index = 0; index < 45; index++) await memory.addMessages(`damaged ${index}`, turns(1))
  for (let index = 0; index < 3; index++) await memory.addMessages(`sound ${index}`, turns(1))
  for (const { id } of (await memory.listSessions()).sessions) {
    if (/^(damaged|sound)/.test(id)) await memory.expire(id, { at: id.startsWith('damaged') ? 1 : 2 })
  }
  raw.exec("UPDATE sessions SET nonce = 'other' WHERE id LIKE 'damaged%'")
  const backend = await SqliteBackend.open(raw.name)
  onTestFinished(() => backend.close())
  for (let calls = 0; !(await backend.reclaim('outdated', performance.now() + 60_000)).done; calls++) {
    expect(calls).toBeLessThan(20)
  }
  const left = raw.prepare('SELECT id FROM sessions ORDER BY id').pluck().all() as string[]
  expect(left.filter((id) => id.startsWith('sound'))).toEqual([])
  expect(left.filter((id) => id.startsWith('damaged'))).toHaveLength(45)
})
