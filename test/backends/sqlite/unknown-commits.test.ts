import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../../src/backends/sqlite/connection.ts'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
import type { Change } from '../../../src/core/backend.ts'
import { encodeEntry } from '../../../src/core/encode-entry.ts'
import { MemoryStore } from '../../../src/core/memory-store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const soon = () => performance.now() + 10_000
const entry = encodeEntry('message', { role: 'user', content: 'hello' }, 'message')
const append = (operation: string, digest = ''): Change => ({ operation: { id: operation, digest }, append: [entry] })
const unknown = { code: 'BACKEND_FAILED', applied: 'unknown' }

/** The next COMMIT of a backend fails with an I/O error: before it is carried out, or after. Returns whether it was reached. */
function failNextCommit(when: 'before' | 'after', meanwhile = () => {}): () => boolean {
  const { run } = Connection.prototype
  let isReached = false
  Connection.prototype.run = function (this: Connection, sql: string, ...parameters: unknown[]) {
    if (sql !== 'COMMIT' || isReached) return run.call(this, sql, ...parameters)
    isReached = true
    run.call(this, when === 'after' ? 'COMMIT' : 'ROLLBACK')
    meanwhile()
    throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
  }
  onTestFinished(() => {
    Connection.prototype.run = run
  })
  return () => isReached
}

async function open(file?: string): Promise<SqliteBackend> {
  const backend = await SqliteBackend.open(file ?? join(await temporaryFolder(), 'agent.db'))
  onTestFinished(() => backend.close())
  return backend
}

/** So that the log has begun, which takes a transaction of its own. */
async function started(file?: string): Promise<SqliteBackend> {
  const backend = await open(file)
  await backend.commit('s', append('first'), soon())
  return backend
}

test.each(['before', 'after'] as const)(
  'operations.1: a COMMIT that fails %s it is carried out is settled by the retry of an operation that nobody named',
  async (when) => {
    const backend = await started()
    for (const session of ['s', 'new']) {
      const { state } = await backend.read(session, {}, soon())
      const isReached = failNextCommit(when)
      const change = append(`to ${session}`)
      await expect(backend.commit(session, change, soon())).rejects.toMatchObject({ ...unknown, retryable: true })
      expect(isReached()).toBe(true)
      const committed = await backend.commit(session, change, soon())
      expect(committed).toMatchObject({ first: (state?.end ?? 0) + 1, count: 1 })
      expect(await backend.commit(session, change, soon())).toEqual(committed)
      expect((await backend.read(session, {}, soon())).state?.end).toBe((state?.end ?? 0) + 1)
    }
  },
)

test.each(['before', 'after'] as const)(
  'operations.1: writes that share a COMMIT which fails %s it is carried out are applied once each, named or not',
  async (when) => {
    const backend = await started()
    const isReached = failNextCommit(when)
    const changes = ['a', 'b', 'c', 'd'].map((id, index) => append(id, index % 2 === 0 ? '' : 'digest of it'))
    const all = await Promise.all(changes.map((change) => backend.commit('s', change, soon())))
    expect(isReached()).toBe(true)
    expect(all.map(({ first }) => first)).toEqual([2, 3, 4, 5])
    expect((await backend.read('s', {}, soon())).state).toMatchObject({ end: 5, counter: 5 })
  },
)

test.each(['before', 'after'] as const)(
  'operations.1: with a store, a COMMIT that fails %s it is carried out goes unnoticed',
  async (when) => {
    const store = new MemoryStore(await started())
    const isReached = failNextCommit(when)
    await store.addMessages('s', [{ role: 'user', content: 'once' }])
    expect(isReached()).toBe(true)
    expect((await store.getHistory('s')).length).toBe(2)
  },
)

test.each(['before', 'after'] as const)(
  'operations.1: if others write to the session after a COMMIT that failed %s it was carried out, nobody claims to know',
  async (when) => {
    const file = join(await temporaryFolder(), 'agent.db')
    const backend = await started(file)
    const other = await open(file)
    const change = append('one')
    failNextCommit(when)
    await expect(backend.commit('s', change, soon())).rejects.toMatchObject(unknown)
    for (const id of ['x', 'y']) await other.commit('s', append(id), soon())
    const end = when === 'after' ? 4 : 3
    await expect(backend.commit('s', change, soon())).rejects.toMatchObject({ ...unknown, retryable: false })
    expect((await backend.read('s', {}, soon())).state?.end).toBe(end)
    expect((await backend.commit('s', append('two'), soon())).first).toBe(end + 1)
  },
)

test('operations.1: a write in doubt whose retry cannot begin does not claim that nothing was written', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const backend = await started(file)
  const rival = new Database(file, { timeout: 0 })
  onTestFinished(() => void rival.close())
  failNextCommit('after', () => void rival.exec('BEGIN IMMEDIATE'))
  const deadline = performance.now() + 50
  const both = await Promise.allSettled(['a', 'b'].map((id) => backend.commit('s', append(id), deadline)))
  expect(both).toMatchObject([{ reason: unknown }, { reason: unknown }])
  rival.exec('ROLLBACK')
  expect((await backend.commit('s', append('a'), soon())).first).toBe(2)
  expect((await backend.read('s', {}, soon())).state?.end).toBe(3)
})

test('operations.5: operations that nobody named leave no rows, and push none of the named ones out', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const backend = await open(file)
  const named = (index: number) => append(`named ${index}`, `digest ${index}`)
  for (let index = 0; index < 256; index++) await backend.commit('s', named(index), soon())
  await Promise.all(Array.from({ length: 2000 }, (_, index) => backend.commit('s', append(`other ${index}`), soon())))
  const reopened = await open(file)
  for (let index = 0; index < 256; index += 5) {
    expect((await reopened.commit('s', named(index), soon())).first).toBe(index + 1)
  }
  for (let index = 256; index < 700; index++) await backend.commit('s', named(index), soon())
  const raw = new Database(file, { readonly: true })
  onTestFinished(() => void raw.close())
  expect(raw.prepare("SELECT count(*) FROM operations WHERE digest = ''").pluck().get()).toBe(0)
  const kept = raw.prepare('SELECT count(*) FROM operations').pluck().get()
  expect(kept).toBeGreaterThanOrEqual(256)
  expect(kept).toBeLessThan(320)
  expect((await reopened.commit('s', named(444), soon())).first).toBe(2000 + 445)
  await expect(reopened.commit('s', append('named 699', 'other'), soon())).rejects.toMatchObject({
    code: 'OPERATION_CONFLICT',
  })
})
