import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { freeze, stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { thaw } from '../../src/golden/freezing/thaw.ts'
import { startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { write } from './support/database.ts'

afterAll(stopFreezer)

function rowsOf(path: string): unknown[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare('SELECT v FROM t ORDER BY v').pluck().all()
  } finally {
    database.close()
  }
}

/** Another copy of SQLite in this process, as another driver would bring. */
async function anotherSqlite(): Promise<string> {
  const copy = join(await temporaryFolder(), 'another.node')
  const root = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'))
  const places = [join('build', 'Release', 'better_sqlite3.node'), join('prebuilds', `linux-${process.arch}.node`)]
  const binary = places.map((place) => join(root, place)).find((file) => existsSync(file))
  copyFileSync(binary ?? expect.fail('the driver has no binary'), copy)
  return copy
}

test('a live WAL database is frozen with all that was committed, with open readers and writers', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.db')
  const writer = new Database(path)
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)')
  const reader = new Database(path)
  reader.exec('BEGIN; SELECT * FROM t')
  reader.prepare('SELECT * FROM t').all()
  writer.exec('INSERT INTO t VALUES (2), (3)')
  await freeze(path, join(folder, 'golden'))
  expect(rowsOf(join(folder, 'golden'))).toEqual([1, 2, 3])
  writer.exec('INSERT INTO t VALUES (4)')
  reader.exec('COMMIT')
  expect(reader.prepare('SELECT count(*) FROM t').pluck().get()).toBe(4)
  writer.close()
  reader.close()
})

test('a golden of the same content has the same bytes, and opening it leaves nothing beside it', async () => {
  const folder = await temporaryFolder()
  const rows = Array.from({ length: 500 }, (_, index) => `(${index}, '${'x'.repeat(index)}')`).join()
  write(
    join(folder, 'a.db'),
    `PRAGMA journal_mode = WAL; CREATE TABLE t (v, w); CREATE INDEX i ON t (w); INSERT INTO t VALUES ${rows}`,
  )
  write(
    join(folder, 'b.db'),
    `CREATE TABLE x (v); CREATE TABLE t (v, w); DROP TABLE x; CREATE INDEX i ON t (w); INSERT INTO t VALUES ${rows}; UPDATE t SET w = w; VACUUM`,
  )
  for (const name of ['a', 'b']) await freeze(join(folder, `${name}.db`), join(folder, `${name}.golden`))
  expect(readFileSync(join(folder, 'a.golden')).equals(readFileSync(join(folder, 'b.golden')))).toBe(true)
  await freeze(join(folder, 'a.golden'), join(folder, 'again'))
  expect(readFileSync(join(folder, 'again')).equals(readFileSync(join(folder, 'a.golden')))).toBe(true)
  rowsOf(join(folder, 'a.golden'))
  expect(['-wal', '-shm', '-journal'].some((suffix) => existsSync(join(folder, `a.golden${suffix}`)))).toBe(false)
})

for (const mode of ['WAL', 'DELETE']) {
  test(`a write transaction left open is the test's mistake (${mode})`, async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.db')
    const database = new Database(path)
    database.pragma(`journal_mode = ${mode}`)
    database.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1); BEGIN; INSERT INTO t VALUES (2)')
    await expect(freeze(path, join(folder, 'golden'))).rejects.toMatchObject({ code: 'TRANSACTION_OPEN' })
    expect(existsSync(join(folder, 'golden'))).toBe(false)
    database.exec('COMMIT')
    await freeze(path, join(folder, 'golden'))
    expect(rowsOf(join(folder, 'golden'))).toEqual([1, 2])
    database.close()
  })

  test(`a database that another SQLite in this process holds open is seen as it is, and not harmed (${mode})`, async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.db')
    const database = new Database(path, { nativeBinding: await anotherSqlite() })
    database.pragma(`journal_mode = ${mode}`)
    database.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)')
    await freeze(path, join(folder, 'one'))
    expect(rowsOf(join(folder, 'one'))).toEqual([1])
    database.exec('BEGIN; INSERT INTO t VALUES (2)')
    await expect(freeze(path, join(folder, 'two'))).rejects.toMatchObject({ code: 'TRANSACTION_OPEN' })
    database.exec('COMMIT; INSERT INTO t VALUES (3)')
    await freeze(path, join(folder, 'two'))
    expect(rowsOf(join(folder, 'two'))).toEqual([1, 2, 3])
    database.close()
    expect(rowsOf(path)).toEqual([1, 2, 3])
  })

  test(`what a killed process committed is there, and nothing else (${mode})`, async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.db')
    const child = startChild(new URL('./support/dying-writer.ts', import.meta.url), { path, mode })
    await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(existsSync(`${path}${mode === 'WAL' ? '-wal' : '-journal'}`)).toBe(true)
    await freeze(path, join(folder, 'golden'))
    const rows = rowsOf(join(folder, 'golden'))
    expect(rows).toHaveLength(100)
    expect(new Set(rows)).toEqual(new Set(Array.from({ length: 100 }, (_, index) => `committed ${index}`)))
  })
}

test.each(['WAL', 'DELETE'])(
  'a connection that keeps the database to itself is told as what it is (%s)',
  async (mode) => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a.db')
    const database = new Database(path)
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma(`journal_mode = ${mode}`)
    database.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)')
    await expect(freeze(path, join(folder, 'golden'))).rejects.toMatchObject({
      code: 'LOCKED',
      message: expect.stringContaining('locking_mode = EXCLUSIVE'),
    })
    expect(existsSync(join(folder, 'golden'))).toBe(false)
    database.close()
    await freeze(path, join(folder, 'golden'))
    expect(rowsOf(join(folder, 'golden'))).toEqual([1])
  },
)

test('a transaction that has written much, so that nobody else can read, is still told as one', async () => {
  const folder = await temporaryFolder()
  const path = write(join(folder, 'a.db'), 'CREATE TABLE t (v)')
  const database = new Database(path)
  database.pragma('cache_size = 10')
  database.exec('BEGIN')
  const insert = database.prepare('INSERT INTO t VALUES (randomblob(3000))')
  for (let row = 0; row < 200; row++) insert.run()
  await expect(freeze(path, join(folder, 'golden'))).rejects.toMatchObject({ code: 'TRANSACTION_OPEN' })
  database.close()
})

test('a schema that only its application can read is told as that', async () => {
  const folder = await temporaryFolder()
  const path = write(join(folder, 'a.db'), 'CREATE TABLE t (v); CREATE INDEX i ON t (v)')
  const database = new Database(path)
  database.unsafeMode()
  database.exec(
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t (v COLLATE german)' WHERE name = 'i'`,
  )
  database.close()
  await expect(freeze(path, join(folder, 'golden'))).rejects.toMatchObject({
    code: 'CANNOT_READ',
    message: expect.stringContaining('uses something only its application has (no such collation sequence: german)'),
  })
})

test('damage that VACUUM would repair silently is reported', async () => {
  const folder = await temporaryFolder()
  const path = write(join(folder, 'a.db'), 'CREATE TABLE t (v); CREATE INDEX i ON t (v); INSERT INTO t VALUES (1), (2)')
  const database = new Database(path)
  database.unsafeMode()
  database.exec(
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON t (v DESC)' WHERE name = 'i'`,
  )
  database.close()
  await expect(freeze(path, join(folder, 'golden'))).rejects.toMatchObject({ code: 'CORRUPT' })
  expect(existsSync(join(folder, 'golden'))).toBe(false)
})

test('rows that violate a constraint are content', async () => {
  const folder = await temporaryFolder()
  const path = write(
    join(folder, 'a.db'),
    'PRAGMA ignore_check_constraints = ON; CREATE TABLE t (v CHECK (v > 0)); INSERT INTO t VALUES (-1)',
  )
  await freeze(path, join(folder, 'golden'))
  thaw(join(folder, 'golden'), join(folder, 'copy'))
  expect(rowsOf(join(folder, 'copy'))).toEqual([-1])
})

test('what is no database is a sentence', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'text'), 'no database, but longer than one hundred bytes'.repeat(20))
  await expect(freeze(join(folder, 'text'), join(folder, 'x'))).rejects.toMatchObject({ code: 'NOT_A_DATABASE' })
  await expect(freeze(join(folder, 'nothing'), join(folder, 'x'))).rejects.toMatchObject({ code: 'MISSING' })
  await expect(freeze(folder, join(folder, 'x'))).rejects.toMatchObject({ code: 'IS_DIRECTORY' })
  expect(existsSync(join(folder, 'x'))).toBe(false)
})

test('a helper that was stopped is begun again', async () => {
  const folder = await temporaryFolder()
  const path = write(join(folder, 'a.db'), 'CREATE TABLE t (v)')
  await freeze(path, join(folder, 'one'))
  stopFreezer()
  await Promise.all(['two', 'three', 'four'].map((name) => freeze(path, join(folder, name))))
  expect(['one', 'two', 'three', 'four'].every((name) => existsSync(join(folder, name)))).toBe(true)
})

test('a copy is made where nothing is, of sound goldens only', async () => {
  const folder = await temporaryFolder()
  const golden = join(folder, 'golden')
  const rows = Array.from({ length: 300 }, () => '(hex(randomblob(50)))').join()
  await freeze(
    write(join(folder, 'a.db'), `CREATE TABLE t (v); CREATE INDEX i ON t (v); INSERT INTO t VALUES ${rows}`),
    golden,
  )
  thaw(golden, join(folder, 'copy'))
  expect(rowsOf(join(folder, 'copy'))).toHaveLength(300)
  expect(() => thaw(golden, join(folder, 'copy'))).toThrow(/already exists/)

  const bytes = readFileSync(golden)
  const broken = (name: string, change: (copy: Buffer) => Buffer) => {
    writeFileSync(join(folder, name), change(Buffer.from(bytes)))
    return () => thaw(join(folder, name), join(folder, `${name}.copy`))
  }
  const patch =
    (offset: number, ...values: number[]) =>
    (copy: Buffer) => {
      copy.set(values, offset)
      return copy
    }
  expect(broken('empty', () => Buffer.alloc(0))).toThrow(expect.objectContaining({ code: 'NOT_A_DATABASE' }))
  expect(broken('magic', patch(0, 1))).toThrow(expect.objectContaining({ code: 'NOT_A_DATABASE' }))
  expect(broken('lfs', () => Buffer.from(`version https://git-lfs.github.com/spec/v1\n${'x'.repeat(100)}`))).toThrow(
    /git lfs pull/,
  )
  expect(broken('format', patch(18, 3))).toThrow(expect.objectContaining({ code: 'TOO_NEW' }))
  expect(broken('schema', patch(47, 5))).toThrow(expect.objectContaining({ code: 'TOO_NEW' }))
  expect(broken('short', (copy) => copy.subarray(0, 4096))).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
  expect(broken('torn', (copy) => copy.subarray(0, 5000))).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
  expect(broken('page', (copy) => copy.fill(0xab, 4096, 8192))).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
})
