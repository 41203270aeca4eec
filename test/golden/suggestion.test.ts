import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { compareDatabases } from '../../src/golden/compare/compare-databases.ts'
import { proposeVolatile, type Suggestion } from '../../src/golden/compare/propose-volatile.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { openSnapshotDb } from '../../src/golden/snapshot-db.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { twoGoldens, write } from './support/database.ts'

afterAll(stopFreezer)
beforeEach(() => {
  for (const name of ['CI', 'SNAPSHOT_UPDATE']) vi.stubEnv(name, '')
  return () => vi.unstubAllEnvs()
})

const time = (second: number) => `2026-01-02T10:00:0${second}.000Z`

async function suggest(table: string, before: string, after: string): Promise<Suggestion | null> {
  const [one, other] = await twoGoldens(`${table};${before}`, `${table};${after}`)
  return proposeVolatile(one, other, compareDatabases(one, other), {})
}

test.each([
  ['with a key', 'CREATE TABLE t (id TEXT PRIMARY KEY, at TEXT, mood TEXT)'],
  ['without a key', 'CREATE TABLE t (id TEXT, at TEXT, mood TEXT)'],
])('one unknown column does not suppress the rest of the suggestion: a table %s', async (_name, table) => {
  const run = (second: number, mood: string) => `INSERT INTO t VALUES ('${randomUUID()}', '${time(second)}', '${mood}')`
  expect(await suggest(table, run(1, 'so-so'), run(2, 'fine'))).toEqual({
    proposal: { 't.id': 'uuid', 't.at': 'time' },
    stillDiffers: table.includes('KEY') ? ['t.mood'] : ['t: 1 row removed', 't: 1 row added'],
  })
})

test('a row or a table more does not suppress it, and is not suggested away', async () => {
  const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, token TEXT)'
  const run = (second: number) => `INSERT INTO t VALUES (1, '${time(second)}', 'abcdefgh12345678')`
  const more = `INSERT INTO t VALUES (2, '${time(3)}', 'hgfedcba87654321'); CREATE TABLE u (v)`
  expect(await suggest(table, run(1), `${run(2)}; ${more}`)).toEqual({
    proposal: { 't.at': 'time' },
    stillDiffers: ['the declaration of table u', 't: 1 row added'],
  })
  expect(await suggest(table, run(1), `${run(1)}; ${more}`)).toBeNull()
})

const orders = 'CREATE TABLE orders (id INTEGER PRIMARY KEY, meta TEXT)'

function order(second: number, mood: string): string {
  const meta = {
    mood,
    at: time(second),
    "it's": { 'a.b': 1_794_793_376_000 + second },
    items: [
      { id: randomUUID(), price: 5 },
      { id: randomUUID(), price: 7 },
    ],
  }
  return `INSERT INTO orders VALUES (1, '${JSON.stringify(meta).replaceAll("'", "''")}')`
}

const inside = {
  'orders.meta$.at': 'time',
  'orders.meta$.it\'s."a.b"': 'time',
  'orders.meta$.items[*].id': 'uuid',
}

test('values inside of JSON are suggested by their path, and the unknown rest does not suppress them', async () => {
  expect(await suggest(orders, order(1, 'fine'), order(2, 'fine'))).toEqual({ proposal: inside, stillDiffers: [] })
  expect(await suggest(orders, order(1, 'so-so'), order(2, 'fine'))).toEqual({
    proposal: inside,
    stillDiffers: ['orders.meta'],
  })
})

test('the error of a test says what to add, and what differs still', async () => {
  const testFile = join(await temporaryFolder(), 'orders.test.ts')
  const run = async (sql: string, volatile = {}) => {
    const db = await openSnapshotDb({ testFile, testName: 'orders', testId: '1', mode: 'new', volatile })
    write(db.path, `${orders}; ${sql}`)
    return (await db.finish({ passed: true })).error
  }
  await run(order(1, 'fine'))
  expect(
    (await run(order(2, 'so-so')))?.message,
  ).toContain(`Some of the values that differ look as if they change on every run. If they do, add:

  volatile: { 'orders.meta$.at': 'time', 'orders.meta$.it\\'s."a.b"': 'time', 'orders.meta$.items[*].id': 'uuid' }

Still different then: orders.meta.`)
  expect(await run(order(3, 'fine'), inside)).toBeNull()
})
