import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { compareDatabases } from '../../src/golden/compare/compare-databases.ts'
import { isEmptyDiff } from '../../src/golden/compare/diff.ts'
import { diffDatabases } from '../../src/golden/compare/diff-goldens.ts'
import { freezeFile } from '../../src/golden/freezing/freeze-file.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { difference, write } from './support/database.ts'

afterAll(stopFreezer)

const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)'

/** Every way to tell two values apart that SQL comparison does not. */
const values: [name: string, before: string, after: string][] = [
  ['1 and 1.0', '1', '1.0'],
  ["1 and '1'", '1', "'1'"],
  ["'a' and x'61'", "'a'", "x'61'"],
  ['0.0 and -0.0', '0.0', '-0.0'],
  ['0 and -0.0', '0', '-0.0'],
  ['NULL and an empty text', 'NULL', "''"],
  ["'' and x''", "''", "x''"],
  ['upper and lower case', "'A'", "'a'"],
  ['a trailing space', "'a'", "'a '"],
  ['what follows a NUL', "'a' || char(0) || 'b'", "'a' || char(0) || 'c'"],
  ['a NUL at the end', "'a'", "'a' || char(0)"],
  ['text that is not well-formed', "CAST(x'ff' AS TEXT)", "CAST(x'fe' AS TEXT)"],
  ['text that is not well-formed and the replacement character', "CAST(x'ff' AS TEXT)", 'char(65533)'],
  ['neighboring big integers', '9007199254740993', '9007199254740992'],
  ['the ends of integers', '9223372036854775807', '-9223372036854775807 - 1'],
  ['infinities', '9e999', '-9e999'],
  ['neighboring reals', '0.1 + 0.2', '0.3'],
  ['the composed and the decomposed form', 'char(233)', "'e' || char(769)"],
]

const declarations: [name: string, sql: string][] = [
  ['a table with a rowid key', 'CREATE TABLE t (id INTEGER PRIMARY KEY, v COLLATE NOCASE)'],
  ['a table without a key', 'CREATE TABLE t (id, v COLLATE RTRIM)'],
  ['a table WITHOUT ROWID', 'CREATE TABLE t (id INTEGER, v COLLATE NOCASE, PRIMARY KEY (id)) WITHOUT ROWID'],
  ['a table whose rowid has no name', 'CREATE TABLE t (id, v, rowid, oid, _rowid_)'],
]

for (const [table, declaration] of declarations) {
  test.each(values)(`%s are two values in ${table}`, async (_name, before, after) => {
    const insert = (value: string) => `INSERT INTO t (id, v) VALUES (1, ${value}), (2, ${value}), (2 + 1, 'same')`
    expect(isEmptyDiff(await difference(declaration, insert(before), insert(before)))).toBe(true)
    const diff = await difference(declaration, insert(before), insert(after))
    const [found] = diff.tables
    expect((found?.changed ?? 0) * 2 + (found?.removed ?? 0) + (found?.added ?? 0)).toBe(4)
    for (const row of found?.rows ?? []) {
      if (row.kind === 'changed') for (const cell of row.cells) expect(cell.before).not.toBe(cell.after)
    }
  })
}

test('the same content by another history is equal', async () => {
  const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE bag (v); CREATE INDEX i ON t (v)'
  const once = `${numbers} INSERT INTO t SELECT i, 'row ' || i FROM n; INSERT INTO bag VALUES (1), (2), (2), (3)`
  const byDetours = `${numbers} INSERT INTO t SELECT i, 'other' FROM n; DELETE FROM t WHERE id % 2;
    ${numbers} INSERT OR REPLACE INTO t SELECT i, 'row ' || i FROM n; INSERT INTO bag VALUES (2), (3), (9), (2), (1); DELETE FROM bag WHERE v = 9; ANALYZE`
  expect(isEmptyDiff(await difference(table, once, byDetours))).toBe(true)
})

test('one row among many is found by its key', async () => {
  const diff = await difference(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); ${numbers} INSERT INTO t SELECT i, i * 2, 'text ' || i FROM n`,
    '',
    "UPDATE t SET a = 'other' WHERE id = 500; DELETE FROM t WHERE id = 7; INSERT INTO t VALUES (2000, 1, NULL)",
  )
  expect(diff.tables).toEqual([
    {
      table: 't',
      key: ['id'],
      columns: ['id', 'a', 'b'],
      changed: 1,
      removed: 1,
      added: 1,
      rows: [
        {
          kind: 'removed',
          cells: [
            { column: 'id', value: '7' },
            { column: 'a', value: '14' },
            { column: 'b', value: "'text 7'" },
          ],
        },
        {
          kind: 'changed',
          key: [{ column: 'id', value: '500' }],
          cells: [{ column: 'a', before: '1000', after: "'other'" }],
        },
        {
          kind: 'added',
          cells: [
            { column: 'id', value: '2000' },
            { column: 'a', value: '1' },
            { column: 'b', value: 'NULL' },
          ],
        },
      ],
    },
  ])
})

test('rows of many are counted, and the first kept', async () => {
  const diff = await difference(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v); ${numbers} INSERT INTO t SELECT i, i FROM n`,
    '',
    'UPDATE t SET v = v + 1',
    { rowLimit: 3 },
  )
  expect(diff.tables).toMatchObject([{ changed: 1000, removed: 0, added: 0 }])
  expect(diff.tables[0]?.rows).toHaveLength(3)
})

const keys: [name: string, declaration: string, rows: string][] = [
  ['a descending integer key', 'id INTEGER PRIMARY KEY DESC, v', "(NULL, 'a'), (NULL, 'a'), (1, 'b')"],
  ['a key that is not the rowid', 'id INT PRIMARY KEY, v', "(NULL, 'a'), (NULL, 'b'), (1, 'b')"],
  ['a text key that may be NULL', 'id TEXT PRIMARY KEY, v', "(NULL, 'a'), ('x', 'a'), (NULL, 'a')"],
  ['a key of two columns', 'id, v, w, PRIMARY KEY (v, id)', "(1, 'a', 1), (NULL, 'a', 1), (2, 'a', 1)"],
  ['a key without case', 'id TEXT COLLATE NOCASE PRIMARY KEY, v', "('a', 1), ('b', 1)"],
  [
    'a key whose index is stricter than its column',
    'id TEXT COLLATE NOCASE, v, PRIMARY KEY (id COLLATE BINARY)',
    "('a', 1), ('A', 1)",
  ],
  ['a key whose index is laxer than its column', 'id TEXT, v, PRIMARY KEY (id COLLATE NOCASE)', "('a', 1), ('b', 1)"],
]

test.each(keys)('%s pairs rows', async (_name, declaration, rows) => {
  const common = `CREATE TABLE t (${declaration}); INSERT INTO t VALUES ${rows}`
  expect(isEmptyDiff(await difference(common, '', ''))).toBe(true)
  for (const change of ['DELETE FROM t WHERE rowid = 1', 'UPDATE t SET v = 77 WHERE rowid = 1']) {
    const [found] = (await difference(common, '', change)).tables
    const { changed = 0, removed = 0, added = 0 } = found ?? {}
    expect([changed, removed, added], change).toEqual(
      change.startsWith('DELETE') ? [0, 1, 0] : changed === 1 ? [1, 0, 0] : [0, 1, 1],
    )
  }
})

test('rows that swapped their keys are two changes', async () => {
  const diff = await difference(
    'CREATE TABLE t (id TEXT PRIMARY KEY, v)',
    "INSERT INTO t VALUES ('a', 1), ('b', 2)",
    "INSERT INTO t VALUES ('a', 2), ('b', 1)",
  )
  expect(diff.tables).toMatchObject([{ changed: 2, removed: 0, added: 0 }])
})

test('a bag counts its copies', async () => {
  const diff = await difference(
    'CREATE TABLE t (v)',
    'INSERT INTO t VALUES (1), (1), (1), (2)',
    'INSERT INTO t VALUES (2), (1), (2), (1)',
  )
  expect(diff.tables).toMatchObject([{ changed: 0, removed: 1, added: 1 }])
})

test('sequences, settings and declarations count', async () => {
  const diff = await difference(
    'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v)',
    'CREATE VIEW gone AS SELECT 1',
    `INSERT INTO t (v) VALUES (1); DELETE FROM t; PRAGMA user_version = 3; PRAGMA application_id = 7;
     CREATE TRIGGER added AFTER INSERT ON t BEGIN SELECT 1; END; CREATE INDEX i ON t (v) WHERE v > 0`,
  )
  expect(diff.tables).toMatchObject([{ table: 'sqlite_sequence', key: ['name'], added: 1 }])
  expect(diff.settings).toEqual([
    { name: 'user_version', before: '0', after: '3' },
    { name: 'application_id', before: '0', after: '7' },
  ])
  expect(diff.schema.map(({ type, name, before }) => [type, name, before !== null])).toEqual([
    ['view', 'gone', true],
    ['index', 'i', false],
    ['trigger', 'added', false],
  ])
})

test('encodings and vacuum modes count', async () => {
  const table = 'CREATE TABLE t (v)'
  expect((await difference('', table, `PRAGMA encoding = 'UTF-16le'; ${table}`)).settings).toMatchObject([
    { name: 'encoding' },
  ])
  expect((await difference('', table, `PRAGMA auto_vacuum = FULL; ${table}`)).settings).toMatchObject([
    { name: 'auto_vacuum', before: 'none', after: 'full' },
  ])
})

test('text is read in every encoding', async () => {
  for (const encoding of ['UTF-16le', 'UTF-16be']) {
    const diff = await difference(
      `PRAGMA encoding = '${encoding}'; CREATE TABLE t (v)`,
      '',
      "INSERT INTO t VALUES ('Käse 🧀')",
    )
    expect(diff.tables[0]?.rows).toEqual([{ kind: 'added', cells: [{ column: 'v', value: "'Käse 🧀'" }] }])
  }
})

test('a column that only one side has is in the declaration, and in every row', async () => {
  const diff = await difference(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 1), (2, 2)',
    '',
    "ALTER TABLE t ADD COLUMN b DEFAULT 'x'; UPDATE t SET a = 3 WHERE id = 2",
  )
  expect(diff.schema).toMatchObject([{ type: 'table', name: 't' }])
  expect(diff.tables).toMatchObject([{ columns: ['id', 'a', 'b'], changed: 2 }])
})

test('a table that came or went shows its rows', async () => {
  const diff = await difference(
    '',
    'CREATE TABLE a (v); INSERT INTO a VALUES (1)',
    'CREATE TABLE b (v); INSERT INTO b VALUES (1), (2)',
  )
  expect(diff.tables).toMatchObject([
    { table: 'a', removed: 1 },
    { table: 'b', added: 2 },
  ])
})

test('generated columns are compared', async () => {
  const table =
    'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a * 2), c AS (a + 1) STORED); INSERT INTO t (id, a) VALUES (1, 2)'
  const diff = await difference(table, '', 'UPDATE t SET a = 3')
  expect(diff.tables[0]?.rows).toMatchObject([{ cells: [{ column: 'a' }, { column: 'b' }, { column: 'c' }] }])
})

test.each([`"; DROP TABLE t; --`, "it's", 'a"b', 'a.b', ' ', 'select', 'emoji 🧠', '[x]', 'new\nline'])(
  'a table and a column named %j are compared',
  async (name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`
    const diff = await difference(
      `CREATE TABLE ${quoted} (${quoted} PRIMARY KEY, v); INSERT INTO ${quoted} VALUES (1, 1)`,
      '',
      `UPDATE ${quoted} SET v = 2`,
    )
    expect(diff.tables).toMatchObject([{ table: name, changed: 1, rows: [{ key: [{ column: name, value: '1' }] }] }])
  },
)

test('full-text tables are compared by documents and by what is found', async () => {
  const table = `CREATE VIRTUAL TABLE notes USING fts5(body); CREATE TABLE source (body);
    CREATE VIRTUAL TABLE "it's" USING fts5(body, content='source');`
  const insert = "INSERT INTO notes(rowid, body) VALUES (1, 'one fish'), (2, 'two fish')"
  const byDetours = `INSERT INTO notes(rowid, body) VALUES (2, 'red'), (1, 'one fish'); UPDATE notes SET body = 'two fish' WHERE rowid = 2; INSERT INTO notes(notes) VALUES ('optimize')`
  expect(isEmptyDiff(await difference(table, insert, byDetours))).toBe(true)
  const changed = await difference(table, insert, `${insert}; UPDATE notes SET body = 'blue fish' WHERE rowid = 2`)
  expect(changed.tables).toMatchObject([
    { table: 'notes', changed: 1 },
    { table: 'notes (full-text index)', removed: 1, added: 1 },
  ])
  const stale = await difference(
    table,
    "INSERT INTO source VALUES ('red')",
    `INSERT INTO source VALUES ('red'); INSERT INTO "it's"(rowid, body) VALUES (1, 'red')`,
  )
  expect(stale.tables).toMatchObject([{ table: "it's (full-text index)", added: 1 }])
})

test('other virtual tables are compared by what they say', async () => {
  const table = 'CREATE VIRTUAL TABLE boxes USING rtree(id, left, right)'
  const diff = await difference(table, 'INSERT INTO boxes VALUES (1, 0, 1)', 'INSERT INTO boxes VALUES (1, 0, 2)')
  expect(diff.tables).toMatchObject([{ table: 'boxes', removed: 1, added: 1 }])
})

test.each([
  ['a module', 'fts5(body)', 'nosuch(body)'],
  ['an option', 'fts5(body)', 'fts5(body, nosuch=1)'],
])('a virtual table that needs %s of its application is compared by what it stores', async (_name, from, to) => {
  const folder = await temporaryFolder()
  const golden = (name: string, text: string) => {
    const path = write(
      join(folder, name),
      `CREATE VIRTUAL TABLE notes USING ${from}; INSERT INTO notes VALUES ('${text}')`,
    )
    const database = new Database(path)
    database.unsafeMode()
    database.exec('PRAGMA writable_schema = ON')
    database.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'notes'").run(from, to)
    database.close()
    freezeFile(path, `${path}.golden`)
    return `${path}.golden`
  }
  const before = golden('before', 'red')
  expect(isEmptyDiff(compareDatabases(before, golden('same', 'red')))).toBe(true)
  expect(compareDatabases(before, golden('other', 'blue')).tables.map(({ table }) => table)).toContain('notes_content')
})

test('foreign keys that are declared wrongly are no reason to fail', async () => {
  const diff = await difference(
    'CREATE TABLE p (id); CREATE TABLE c (p REFERENCES p (id))',
    '',
    'INSERT INTO c VALUES (1)',
  )
  expect(diff.tables).toMatchObject([{ table: 'c', added: 1 }])
})

test('any two databases are compared, live ones too, and one with nothing', async () => {
  const folder = await temporaryFolder()
  const live = new Database(join(folder, 'live.db'))
  live.pragma('journal_mode = WAL')
  live.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)')
  const other = write(join(folder, 'other.db'), 'CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)')
  expect((await diffDatabases(join(folder, 'live.db'), other)).tables).toMatchObject([{ table: 't', added: 1 }])
  expect(isEmptyDiff(await diffDatabases(other, other))).toBe(true)
  expect(await diffDatabases(null, other)).toMatchObject({
    schema: [{ name: 't', before: null }],
    tables: [{ added: 2 }],
  })
  expect(await diffDatabases(other, null)).toMatchObject({
    schema: [{ name: 't', after: null }],
    tables: [{ removed: 2 }],
  })
  live.close()
  await expect(diffDatabases(join(folder, 'none.db'), other)).rejects.toMatchObject({ code: 'MISSING' })
})

test('foreign keys that came to point nowhere are listed', async () => {
  const diff = await difference(
    'CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1), (5)',
    '',
    'DELETE FROM p',
  )
  expect(diff.brokenForeignKeys).toEqual(['c rowid 1 points to a missing row of p'])
})

test('a table with very many columns is compared', async () => {
  const columns = Array.from({ length: 900 }, (_, index) => `c${index}`)
  const diff = await difference(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, ${columns.join()}); INSERT INTO t (id) VALUES (1)`,
    '',
    'UPDATE t SET c899 = 1',
  )
  expect(diff.tables).toMatchObject([
    { changed: 1, rows: [{ cells: [{ column: 'c899', before: 'NULL', after: '1' }] }] },
  ])
})
