import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { PostgresBackend } from '../../../src/backends/postgres/index.ts'
import type { Change } from '../../../src/core/backend.ts'
import { closePath, planOnBase } from '../../../src/core/path.ts'
import { pathTokenOf } from '../../../src/core/session-state.ts'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer()
const soon = () => performance.now() + 60_000
const rollbacks = 1000
const schema = freshSchema()
/** The path that the snapshot of each epoch reads. */
const paths: (readonly (readonly [number, number])[])[] = []

async function open(): Promise<PostgresBackend> {
  const backend = await PostgresBackend.open(on.server.url, { schema })
  onTestFinished(() => backend.close())
  return backend
}

async function bytesOfPaths(): Promise<number> {
  const [row] = await on.ask<{ bytes: number }>(
    `SELECT sum(length(coalesce(path, '')) + length(coalesce(own, '')))::integer AS bytes FROM ${schema}.epochs`,
  )
  return row?.bytes ?? 0
}

/**
 * Each saves what there is, adds two turns, and rolls back to before them with another turn, so that every path is one range longer than the one before.
 */
async function rollBack(backend: PostgresBackend, times: number): Promise<void> {
  const commit = (change: Omit<Change, 'operation'>) =>
    backend.commit('s', { ...change, operation: { id: randomUUID(), digest: '' } }, soon())
  const turn = { kind: 'message' as const, format: 3, body: '[{},"00000000"]', bytes: null }
  await commit({ append: [turn] })
  for (let time = 1; time <= times; time++) {
    const { state } = await backend.read('s', {}, soon())
    if (state === null) throw new Error('no session')
    const kept = closePath(state.path, state.end)
    paths.push(kept)
    await commit({ append: [turn, turn], putSnapshot: { id: `${time}`, label: null, automatic: false } })
    if (time === times) return
    const path = { cause: 'rollback' as const, ...planOnBase(state.epoch, kept, [['appended', null]]) }
    await commit({ ifPath: pathTokenOf(state), append: [turn], path })
  }
}

beforeAll(async () => {
  const backend = await PostgresBackend.open(on.server.url, { schema })
  await rollBack(backend, rollbacks)
  await backend.close()
})

test('differences: bytes grow with the number of rollbacks, and not with its square', async () => {
  const whole = paths.reduce((sum, path) => sum + path.length * 4, 0)
  expect(await bytesOfPaths()).toBeLessThan(rollbacks * 30)
  expect(whole).toBeGreaterThan(rollbacks * 1000)
})

test('differences: every snapshot reads what it read, alone and in the list', async () => {
  const backend = await open()
  const { state, snapshots, epochs } = await backend.snapshots('s', soon())
  expect(state?.epoch).toBe(rollbacks)
  const listed = new Map(epochs.map(({ number, path }) => [number, path]))
  expect(epochs.every(({ base, number }) => base === null || base < number)).toBe(true)
  for (const { epoch, end } of snapshots) expect(closePath(listed.get(epoch) ?? [], end)).toEqual(paths[epoch - 1])
  for (const epoch of [1, 2, 5, 6, 7, 500, rollbacks - 1, rollbacks]) {
    const { snapshot } = await backend.read('s', { snapshot: `${epoch}` }, soon())
    expect(closePath(snapshot?.path ?? [], snapshot?.record.end ?? 0)).toEqual(paths[epoch - 1])
  }
})

test('differences: a base that is missing is lost for what needs it, and for nothing else', async () => {
  const backend = await open()
  await on.ask(`CREATE TABLE ${schema}.kept AS SELECT * FROM ${schema}.epochs WHERE number = 500`)
  const putBack = `DELETE FROM ${schema}.epochs WHERE number = 500; INSERT INTO ${schema}.epochs SELECT * FROM ${schema}.kept`
  for (const damage of ['DELETE FROM epochs', `UPDATE epochs SET own = '[1,'`, 'UPDATE epochs SET base = 501']) {
    await on.ask(`SET search_path = ${schema}; ${damage} WHERE number = 500`)
    await expect(backend.read('s', { snapshot: '700' }, soon())).rejects.toMatchObject({ code: 'MEMORY_LOST' })
    await expect(backend.read('s', { snapshot: '500' }, soon())).rejects.toMatchObject({ code: 'MEMORY_LOST' })
    expect((await backend.read('s', { snapshot: '499' }, soon())).snapshot?.path.length).toBeGreaterThan(400)
    expect((await backend.read('s', { snapshot: `${rollbacks}` }, soon())).snapshot?.path.length).toBe(rollbacks)
    const { state, epochs } = await backend.snapshots('s', soon())
    expect(state?.path.length).toBe(rollbacks)
    expect(new Set(epochs.map(({ number }) => number)).has(700)).toBe(false)
    expect(new Set(epochs.map(({ number }) => number)).has(499)).toBe(true)
    await on.ask(putBack)
  }
})

test('differences: a chain of 1,000 is resolved in one statement', async () => {
  const pool = new pg.Pool({ connectionString: on.server.url, max: 1 })
  onTestFinished(() => pool.end())
  const backend = await PostgresBackend.open(pool, { schema })
  onTestFinished(() => backend.close())
  let statements = 0
  pool.on('acquire', () => statements++)
  expect((await backend.read('s', { snapshot: `${rollbacks - 1}` }, soon())).snapshot?.path.length).toBe(rollbacks - 1)
  expect((await backend.snapshots('s', soon())).epochs.length).toBe(rollbacks)
  expect(statements).toBe(2)
})
