import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { goldenPath, reportPath } from '../../src/golden/files/golden-names.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { renderDiff } from '../../src/golden/render/render-diff.ts'
import { openSnapshotDb } from '../../src/golden/snapshot-db.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { difference, write } from './support/database.ts'

afterAll(stopFreezer)
beforeEach(() => {
  for (const name of ['CI', 'SNAPSHOT_UPDATE']) vi.stubEnv(name, '')
  return () => vi.unstubAllEnvs()
})

const users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users VALUES (1, 'Ann'), (2, 'Ben')"
const migration = "ALTER TABLE users ADD COLUMN email TEXT; UPDATE users SET email = name || '@wrong.example'"

test('a column that one side has shows its value in every kept, added and removed row', async () => {
  const diff = await difference(
    users,
    '',
    `${migration}; UPDATE users SET name = 'Anna' WHERE id = 1; INSERT INTO users VALUES (3, 'Cid', 'c@x')`,
  )
  expect(renderDiff(diff)).toContain(`table users: 2 rows changed, 1 row added
  ~ id=1
      name  'Ann' → 'Anna'
      email (new) = 'Ann@wrong.example'
  + id=3 name='Cid' email='c@x'
  ~ id=2
      email (new) = 'Ben@wrong.example'`)
  const dropped = await difference(users, migration, 'DELETE FROM users WHERE id = 2')
  expect(renderDiff(dropped)).toContain(`table users: 1 row changed, 1 row removed
  - id=2 name='Ben' email='Ben@wrong.example'
  ~ id=1
      email (dropped) = 'Ann@wrong.example'`)
})

test('what else changed is shown before rows that only have a new column', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => `(${index + 10}, 'n')`).join()
  const diff = await difference(
    `${users}; INSERT INTO users VALUES ${rows}`,
    '',
    "ALTER TABLE users ADD COLUMN email; UPDATE users SET name = 'last' WHERE id = 59",
    { rowLimit: 1 },
  )
  expect(diff.tables).toMatchObject([
    {
      changed: 52,
      rows: [
        {
          key: [{ value: '59' }],
          cells: [{ column: 'name' }, { column: 'email', before: null, after: 'NULL' }],
        },
      ],
    },
  ])
})

test.each([
  ['without a key', 'CREATE TABLE t (a, b)', 'ALTER TABLE t ADD COLUMN c DEFAULT 7'],
  [
    'that got a key',
    'CREATE TABLE t (a, b)',
    'DROP TABLE t; CREATE TABLE t (a PRIMARY KEY, b, c); INSERT INTO t VALUES (1, 2, 7), (3, 4, 7)',
  ],
  ['whose key is NULL', 'CREATE TABLE t (a, b, k TEXT PRIMARY KEY)', 'ALTER TABLE t ADD COLUMN c DEFAULT 7'],
])('rows of a table %s are paired by the columns that both sides have', async (_name, table, after) => {
  const diff = await difference(`${table}; INSERT INTO t (a, b) VALUES (1, 2), (3, 4)`, '', after)
  expect(diff.tables).toMatchObject([{ changed: 2, removed: 0, added: 0 }])
  for (const row of diff.tables[0]?.rows ?? []) {
    expect(row.cells).toEqual([{ column: 'c', before: null, after: '7' }])
  }
})

test('tables without a column in common show all of their rows', async () => {
  const diff = await difference(
    '',
    'CREATE TABLE t (a); INSERT INTO t VALUES (1)',
    'CREATE TABLE t (b); INSERT INTO t VALUES (2)',
  )
  expect(renderDiff(diff)).toContain(`table t: 1 row removed, 1 row added
  - a=1
  + b=2`)
})

test('volatile rows are still matched by what both sides have, and a new column may be volatile or not', async () => {
  const table = 'CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT, at TEXT)'
  const rows = () =>
    ['Ann', 'Ben'].map((name) => `INSERT INTO t VALUES ('${crypto.randomUUID()}', '${name}', '2026-01-01');`).join('')
  const volatile = { 't.id': 'uuid', 't.at': 'time', 't.token': 'uuid' } as const
  const diff = await difference(
    table,
    rows(),
    `${rows()}; ALTER TABLE t ADD COLUMN email; ALTER TABLE t ADD COLUMN token; ALTER TABLE t DROP COLUMN at;
     UPDATE t SET email = name || '@x', token = '${crypto.randomUUID()}'`,
    { volatile },
  )
  expect(diff.tables).toMatchObject([{ changed: 2, removed: 0, added: 0 }])
  expect(renderDiff(diff)).toContain(`  ~ id=<uuid 1>
      at (dropped) = <time date>
      email (new) = 'Ann@x'
      token (new) = <uuid 3>`)
})

test('a ring of random ids is still matched by its structure when a column is new', async () => {
  const ring = () => {
    const ids = Array.from({ length: 4 }, () => crypto.randomUUID())
    return ids.map((id, index) => `INSERT INTO links VALUES ('${id}', '${ids[(index + 1) % 4]}');`).join('')
  }
  const volatile = { 'links.a': 'uuid', 'links.b': 'uuid' } as const
  const after = `${ring()} ALTER TABLE links ADD COLUMN c DEFAULT 7`
  const diff = await difference('CREATE TABLE links (a TEXT, b TEXT)', ring(), after, { volatile })
  expect(diff.tables).toMatchObject([{ changed: 4, removed: 0, added: 0 }])
})

test('a migration that fills a column with wrong values is seen in the error and in the text file', async () => {
  const testFile = join(await temporaryFolder(), 'migration.test.ts')
  const seed = (path: string) => write(path, users)
  const run = async (sql: string) => {
    const config = { golden: 'start.sqlite', seed, testFile, testName: 'migrates', testId: '1', mode: 'new' } as const
    const db = await openSnapshotDb(config)
    write(db.path, sql)
    return db.finish({ passed: true })
  }
  await run('SELECT 1')
  const { error } = await run(migration)
  expect(error?.message).toContain("email (new) = 'Ann@wrong.example'")
  const pending = `${goldenPath(testFile, 'migrates', null)}.new`
  expect(readFileSync(reportPath(pending), 'utf8')).toContain("email (new) = 'Ben@wrong.example'")
})
