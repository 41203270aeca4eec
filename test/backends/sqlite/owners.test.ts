import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
import type { Change, ListedPage, SessionAbout } from '../../../src/core/backend.ts'
import { MemoryStore } from '../../../src/core/memory-store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const soon = () => performance.now() + 30_000
const nobody: SessionAbout = { owner: null, title: null, metadata: null }
const idsOf = ({ sessions }: ListedPage) => sessions.map(({ id }) => id)
const statesOf = ({ sessions }: ListedPage) =>
  Object.fromEntries(sessions.map(({ id, state }) => [id, state === null ? 'lost' : 'sound']))
let operations = 0

async function open() {
  const file = join(await temporaryFolder(), 'agent.db')
  const backend = await SqliteBackend.open(file, { durability: 'process' })
  const raw = new Database(file)
  raw.pragma('foreign_keys = OFF')
  onTestFinished(async () => {
    raw.close()
    await backend.close()
  })
  const commit = (id: string, change: Omit<Change, 'operation'>) => {
    operations += 1
    return backend.commit(id, { operation: { id: `${operations}`, digest: '' }, ...change }, soon())
  }
  const list = (owner: string, cursor: string | null = null, limit = 100) =>
    backend.sessionsOf(owner, cursor, limit, soon())
  return { file, backend, raw, commit, list }
}

/** Three sessions of Ann, two of Bob and one of nobody. */
async function planted() {
  const opened = await open()
  for (const id of ['a1', 'a2', 'a3'])
    await opened.commit(id, { begin: { ...nobody, owner: 'Ann', title: `of ${id}` } })
  for (const id of ['b1', 'b2']) await opened.commit(id, { begin: { ...nobody, owner: 'Bob' } })
  await opened.commit('n', {})
  return opened
}

test.each([
  [
    'the index leaves one out',
    (raw: Database.Database) => breakIndex(raw, 'a2', null),
    { a1: 'sound', a2: 'sound', a3: 'sound' },
  ],
  [
    'the index has one of another owner',
    (raw: Database.Database) => breakIndex(raw, 'b1', 'Ann'),
    { a1: 'sound', a2: 'sound', a3: 'sound' },
  ],
  ['the count is gone', "DELETE FROM owners WHERE owner = 'Ann'", { a1: 'sound', a2: 'sound', a3: 'sound' }],
  [
    'the count is wrong',
    "UPDATE owners SET sessions = 2 WHERE owner = 'Ann'",
    { a1: 'sound', a2: 'sound', a3: 'sound' },
  ],
  [
    'the state of one is damaged',
    "UPDATE sessions SET end = 7 WHERE id = 'a2'",
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
  ['the state of one is gone', "DELETE FROM sessions WHERE id = 'a2'", { a1: 'sound', a2: 'lost', a3: 'sound' }],
  [
    'the id of one is damaged',
    "UPDATE sessions SET id = 'x' WHERE id = 'a2'",
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
  [
    'the time of one is damaged',
    "UPDATE sessions SET updated_at = -1 WHERE id = 'a2'",
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
  [
    'the end of one is damaged',
    "UPDATE sessions SET expires_at = 1 WHERE id = 'a2'",
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
  [
    'the title of one is damaged',
    `UPDATE about SET title = '"x"' WHERE id = 'a2'`,
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
  [
    'the id in the list is damaged',
    "UPDATE about SET id = 'x' WHERE id = 'a2'",
    { a1: 'sound', a2: 'lost', a3: 'sound' },
  ],
])('loss.6: nobody is missing from the list of an owner if %s', async (_name, damage, expected) => {
  const { backend, raw, list } = await planted()
  if (typeof damage === 'string') raw.exec(damage)
  else damage(raw)
  expect(statesOf(await list('Ann'))).toEqual(expected)
  expect(idsOf(await list('Bob')).sort()).toEqual(['b1', 'b2'])
  const { damage: found } = await new MemoryStore(backend).verify()
  expect(found.length).toBeGreaterThan(0)
})

/** Puts an index of other owners in place of the right one. */
function breakIndex(raw: Database.Database, id: string, owner: string | null): void {
  const told = raw.prepare('SELECT owner FROM about WHERE id = ?').pluck().get(id)
  const where = "FROM sqlite_schema WHERE name = 'about_by_owner'"
  const sql = raw.prepare(`SELECT sql ${where}`).pluck().get()
  raw.exec(`UPDATE about SET owner = ${owner === null ? 'NULL' : `'${owner}'`} WHERE id = '${id}'`)
  raw.unsafeMode(true)
  raw.pragma('writable_schema = ON')
  raw
    .prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'about_by_owner'")
    .run('CREATE INDEX about_by_owner ON about (0)')
  raw.pragma('writable_schema = RESET')
  raw.prepare('UPDATE about SET owner = ? WHERE id = ?').run(told, id)
  raw.pragma('writable_schema = ON')
  raw.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'about_by_owner'").run(sql)
  raw.pragma('writable_schema = RESET')
}

test.each([
  ['gone', "DELETE FROM about WHERE id = 'a2'"],
  ['of an earlier moment', "UPDATE about SET (owner, title, checksum) = ('Bob', 'x', 1) WHERE id = 'a2'"],
])('loss.6: owner, title and metadata that are %s are lost, and an append goes on', async (_name, sql) => {
  const { backend, raw, commit } = await planted()
  raw.exec(sql)
  const lost = { code: 'MEMORY_LOST', session: 'a2' }
  await expect(backend.read('a2', { about: true }, soon())).rejects.toMatchObject(lost)
  await expect(backend.snapshots('a2', soon())).rejects.toMatchObject(lost)
  await expect(commit('a2', { describe: { title: 'new' } })).rejects.toMatchObject(lost)
  await commit('a2', {})
  expect((await backend.read('a2', {}, soon())).about).toBe(null)
  expect((await backend.sessions(null, 100, soon())).sessions.find(({ id }) => id === 'a2')).toMatchObject({
    state: null,
  })
  expect(await backend.erase('a2', { operation: 'erasing' }, soon())).toBe(true)
})

test('an owner, a title and metadata of any text, in pages, newest first', async () => {
  const { backend, commit, list } = await open()
  const owner = "a\0b'ö\u2029"
  const title = 'NUL \0, alone \ud800'
  for (let index = 0; index < 25; index++) {
    await commit(`s${index}`, { begin: { owner, title, metadata: `{"index":${index},"odd":"\ud800"}` } })
  }
  await commit('s3', { append: [] })
  await commit('s4', { describe: { owner: null } })
  await commit('s5', { expire: { at: 1 } })
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: ListedPage = await list(owner, cursor, 7)
    pages.push(idsOf(page))
    cursor = page.cursor
  } while (cursor !== null)
  expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 2])
  expect(new Set(pages.flat()).size).toBe(23)
  const { sessions } = await list(owner)
  const times = sessions.map(({ state }) => state?.updatedAt ?? 0)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect((await backend.read('s7', { about: true }, soon())).about).toEqual({
    owner,
    title,
    metadata: '{"index":7,"odd":"\ud800"}',
  })
  expect((await list('a')).sessions).toEqual([])
})

test('sqlite.11: an erased session leaves its owner, title and metadata nowhere in the file', async () => {
  const { file, backend, raw, commit } = await open()
  const about = { owner: 'Secret Owner', title: 'Secret Title', metadata: '{"secret":"Secret Metadata"}' }
  await commit('one', { begin: about })
  await commit('two', { begin: about })
  await commit('two', { describe: { owner: 'Secret Other Owner' } })
  for (const id of ['one', 'two']) await backend.erase(id, { operation: `erase ${id}` }, soon())
  while (!(await backend.reclaim('all', soon())).done);
  expect(raw.prepare('SELECT count(*) FROM owners').pluck().get()).toBe(0)
  raw.pragma('wal_checkpoint(TRUNCATE)')
  expect(readFileSync(file).toString('latin1')).not.toMatch(/Secret/)
})

test('an append writes nothing about the owner', async () => {
  const { raw, commit } = await planted()
  const rows = () => raw.prepare('SELECT * FROM about').all()
  const before = rows()
  await commit('a1', { begin: { ...nobody, owner: 'Zoe' } })
  expect(rows()).toEqual(before)
})
