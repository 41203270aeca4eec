import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDatabases } from '../../src/golden/compare/compare-databases.ts'
import { isEmptyDiff } from '../../src/golden/compare/diff.ts'
import { freezeFile } from '../../src/golden/freezing/freeze-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let files = 0

function golden(folder: string, sql: string, rows: readonly (readonly unknown[])[]): string {
  const path = join(folder, `${++files}.db`)
  const database = new Database(path)
  database.pragma('synchronous = OFF')
  database.exec(`${sql}; BEGIN`)
  for (const row of rows) database.prepare(`INSERT INTO t VALUES (${row.map(() => '?').join()})`).run(...row)
  database.exec('COMMIT')
  database.close()
  freezeFile(path, `${path}.golden`)
  return `${path}.golden`
}

const value = fc.constantFrom<unknown>(
  null,
  0,
  -0,
  1n,
  1,
  '1',
  'a',
  'A',
  'a ',
  '',
  'a\0b',
  'a\0',
  Buffer.from('a'),
  Buffer.alloc(0),
  2n ** 62n,
  Infinity,
)

const shown = (cell: unknown) =>
  Buffer.isBuffer(cell) ? `blob ${cell.toString('hex')}` : `${typeof cell} ${Object.is(cell, -0) ? '-0' : String(cell)}`

const bagOf = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(shown).join('|')).sort()

test.each(['CREATE TABLE t (a, b COLLATE NOCASE)', 'CREATE TABLE t (a, b, rowid, oid, _rowid_)'])(
  'two bags of rows are equal if and only if a plain count says so: %s',
  async (sql) => {
    const folder = await temporaryFolder()
    const filler = sql.includes('oid') ? [1n, 2n, 3n] : []
    const row = fc.tuple(value, value).map((cells) => [...cells, ...filler])
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        fc.array(row, { maxLength: 6 }),
        fc.boolean(),
        (before, other, isShuffled) => {
          const after = isShuffled ? before.toReversed() : other
          const diff = compareDatabases(golden(folder, sql, before), golden(folder, sql, after))
          expect(isEmptyDiff(diff)).toBe(bagOf(before).join('\n') === bagOf(after).join('\n'))
        },
      ),
      { numRuns: 60 },
    )
  },
)

test('new ids under any structure are equal, and one changed cell never is', async () => {
  const folder = await temporaryFolder()
  const sql = 'CREATE TABLE t (id TEXT, parent TEXT, kind INTEGER)'
  const volatile = { 't.id': 'random', 't.parent': 'random' } as const
  const shape = fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.nat(1)), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(shape, fc.nat(9), (rows, at) => {
      const named = (run: string) =>
        rows.map(([id, parent, kind]) => [
          `${run}-${(id * 5 + run.length) % 8}`,
          `${run}-${(parent * 5 + run.length) % 8}`,
          BigInt(kind),
        ])
      const before = golden(folder, sql, named('one'))
      expect(
        isEmptyDiff(compareDatabases(before, golden(folder, sql, named('three').toReversed()), { volatile })),
      ).toBe(true)
      const changed = named('three').map((row, index) => (index === at % rows.length ? [row[0], row[1], 7n] : row))
      expect(isEmptyDiff(compareDatabases(before, golden(folder, sql, changed), { volatile }))).toBe(false)
    }),
    { numRuns: 60 },
  )
})
