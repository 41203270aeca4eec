import { expect, test } from 'vitest'
import { cutPair, cutValue } from '../../src/golden/render/cut-value.ts'
import { diffLines } from '../../src/golden/render/diff-lines.ts'
import { renderDiff } from '../../src/golden/render/render-diff.ts'
import { difference } from './support/database.ts'

test('a diff reads table by table, row by row, with only what changed', async () => {
  const diff = await difference(
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
     INSERT INTO notes VALUES (1, 'one', '${'long '.repeat(40)}'), (2, 'two', 'b'), (3, 'three', 'c'), (4, 'four', 'd')`,
    '',
    `UPDATE notes SET title = 'uno', body = '${'long '.repeat(20)}other ${'long '.repeat(20)}' WHERE id = 1; DELETE FROM notes WHERE id = 2;
     INSERT INTO notes VALUES (9, 'nine', x'00ff'); UPDATE notes SET body = NULL WHERE id IN (3, 4);
     PRAGMA user_version = 2; CREATE INDEX byTitle ON notes (title)`,
    { rowLimit: 4 },
  )
  expect(renderDiff(diff, { valueWidth: 30 })).toBe(`user_version: 0 → 2

index byTitle: declaration added
  + CREATE INDEX byTitle ON notes (title)

table notes: 3 rows changed, 1 row removed, 1 row added
  ~ id=1
      title  'one' → 'uno'
      body   …g long long long long long lon… (from character 94 of 200) → …g long other long long long lo… (from character 94 of 206)
  - id=2 title='two' body='b'
  ~ id=3
      body  'c' → NULL
  ~ id=4
      body  'd' → NULL
  … and 1 more`)
})

test('a changed declaration is a diff of its text', async () => {
  const diff = await difference('', 'CREATE TABLE t (\n  a,\n  b\n)', 'CREATE TABLE t (\n  a,\n  b TEXT\n)')
  expect(renderDiff(diff)).toBe(`table t: declaration changed
    CREATE TABLE t (
      a,
  -   b
  +   b TEXT
    )`)
})

test('nothing in a database can move the cursor or turn a line', async () => {
  const diff = await difference(
    '',
    '',
    `CREATE TABLE "a\nb\u001b[2J" ("c\rd"); INSERT INTO "a\nb\u001b[2J" VALUES (char(27, 10, 13, 0, 8238) || 'x')`,
  )
  const text = renderDiff(diff)
  expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([])
  expect(text.split('\n')).toHaveLength(6)
  expect(text).toContain("'\\u001b\\n\\r\\u0000\\u202ex'")
})

test('color is there when asked for', async () => {
  const diff = await difference('CREATE TABLE t (v)', '', 'INSERT INTO t VALUES (1)')
  expect(renderDiff(diff)).not.toContain('\u001b')
  expect(renderDiff(diff, { color: true })).toContain('\u001b[32m+ v=1\u001b[0m')
})

test('long values are cut in the middle, and never so that two look the same', () => {
  expect(cutValue('short', 10)).toBe('short')
  expect(cutValue('🧠'.repeat(50), 21)).toBe(`${'🧠'.repeat(5)}…${'🧠'.repeat(5)} (50 characters)`)
  expect(cutValue(`'${"it''s \\u0000 \\\\ \\n ".repeat(10)}'`, 21)).toMatch(/ \(110 characters\)$/)
  expect(cutValue(`x'${'00'.repeat(40)}'`, 21)).toMatch(/ \(40 bytes\)$/)
  const [before, after] = cutPair(`${'a'.repeat(100)}X${'a'.repeat(100)}`, `${'a'.repeat(100)}Y${'a'.repeat(100)}`, 20)
  expect(before).toBe('…aaaaaXaaaaaaaaaaaaaa… (from character 96 of 201)')
  expect(after).toBe('…aaaaaYaaaaaaaaaaaaaa… (from character 96 of 201)')
})

test('a line diff keeps what both have', () => {
  expect(diffLines('a\nb\nc', 'b\nc\nd').map(({ sign, text }) => sign + text)).toEqual(['-a', ' b', ' c', '+d'])
  expect(diffLines('', 'a').map(({ sign, text }) => sign + text)).toEqual(['-', '+a'])
})
