import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isEmptyDiff } from '../../src/golden/compare/diff.ts'
import { parseJsonPath } from '../../src/golden/compare/json/json-path.ts'
import { jsonValues } from '../../src/golden/compare/json/json-values.ts'
import type { VolatileColumns } from '../../src/golden/compare/volatile/shapes.ts'
import { renderDiff } from '../../src/golden/render/render-diff.ts'
import { difference } from './support/database.ts'

const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, meta, ref TEXT)'

const insert = (...texts: string[]) =>
  texts.map((text, id) => `INSERT INTO t (id, meta) VALUES (${id}, '${text.replaceAll("'", "''")}');`).join('')

const cases: [name: string, volatile: VolatileColumns, before: string, after: string, isEqual: boolean][] = [
  ['two times', { 't.meta$.at': 'time' }, '{"at":1794793376203}', '{"at":1794793376999}', true],
  ['a time and a text', { 't.meta$.at': 'time' }, '{"at":1794793376203}', '{"at":"1794793376203"}', false],
  ['a time and no time', { 't.meta$.at': 'time' }, '{"at":1794793376203}', '{"at":7}', false],
  ['a place that is not there', { 't.meta$.at': 'time' }, '{"at":1794793376203}', '{}', false],
  [
    'the same name elsewhere',
    { 't.meta$.at': 'time' },
    '{"a":{"at":1794793376203}}',
    '{"a":{"at":1794793376999}}',
    false,
  ],
  ['whitespace around it', { 't.meta$.at': 'time' }, '{"at": 1794793376203}', '{"at":1794793376203}', false],
  [
    'how a number is written',
    { 't.meta$.at': 'time' },
    '{"at":1794793376203,"n":1.0}',
    '{"at":1794793376204,"n":1}',
    false,
  ],
  ['the order of names', { 't.meta$.at': 'time' }, '{"at":1794793376203,"n":1}', '{"n":1,"at":1794793376203}', false],
  ['a text that imitates a placeholder', { 't.meta$.at': 'time' }, '{"at":1794793376203}', '{"at":"<time ms>"}', false],
  ['an index', { 't.meta$[1]': 'random' }, '[1,"a",{"b":2}]', '[1,"b",{"b":2}]', true],
  ['another index', { 't.meta$[0]': 'random' }, '[1,"a"]', '[1,"b"]', false],
  ['every element', { 't.meta$.x[*].id': 'random' }, '{"x":[{"id":1},{"id":2}]}', '{"x":[{"id":3},{"id":4}]}', true],
  ['every element, one fewer', { 't.meta$.x[*].id': 'random' }, '{"x":[{"id":1},{"id":2}]}', '{"x":[{"id":3}]}', false],
  ['a quoted name', { 't.meta$."a.b"': 'random' }, '{"a.b":1}', '{"a.b":2}', true],
  ['a whole object', { 't.meta$.x': 'random' }, '{"x":{"y":[1]},"z":1}', '{"x":{"y":[2]},"z":1}', true],
  ['not JSON', { 't.meta$.at': 'time' }, 'at 1794793376203', 'at 1794793376999', false],
  ['a function', { 't.meta$.s': (value) => String(value).replace(/\d/, 'N') }, '{"s":"a1"}', '{"s":"a2"}', true],
  [
    'a function that keeps',
    { 't.meta$.s': (value) => String(value).replace(/\d/, 'N') },
    '{"s":"a1"}',
    '{"s":"b2"}',
    false,
  ],
  ['hidden characters', { 't.meta$.a': 'random' }, '{"a":1,"b":"\u202e"}', '{"a":2,"b":"\\u202e"}', false],
]

test.each(cases)('inside of JSON: %s', async (_name, volatile, before, after, isEqual) => {
  expect(isEmptyDiff(await difference(table, insert(before), insert(after), { volatile }))).toBe(isEqual)
})

test('an id keeps its identity inside of JSON, and between JSON and columns', async () => {
  const volatile: VolatileColumns = { 't.meta$.user': 'uuid', 't.ref': 'uuid' }
  const run = (swap: boolean) => {
    const [one, two] = [randomUUID(), randomUUID()]
    const refs = swap ? [two, one] : [one, two]
    return `${insert(`{"user":"${one}","n":"Ann"}`, `{"user":"${two}","n":"Ben"}`)}
      UPDATE t SET ref = '${refs[0]}' WHERE id = 0; UPDATE t SET ref = '${refs[1]}' WHERE id = 1`
  }
  expect(isEmptyDiff(await difference(table, run(false), run(false), { volatile }))).toBe(true)
  const diff = await difference(table, run(false), run(true), { volatile })
  expect(diff.tables).toMatchObject([{ changed: 2 }])
})

test('an id that an equal row has, too, stands for itself', async () => {
  const [known, other] = [randomUUID(), randomUUID()]
  const common = `${table}; ${insert(`{"user":"${known}"}`)}`
  const points = (id: string) => `INSERT INTO t (id, meta) VALUES (7, '{"user":"${id}"}')`
  const diff = await difference(common, points(known), points(other), { volatile: { 't.meta$.user': 'uuid' } })
  expect(renderDiff(diff)).toContain(`meta  {"user":"${known}"} → {"user":<uuid 1>}`)
})

test('what differs beside a placeholder is shown with it', async () => {
  const diff = await difference(table, insert('{"at":1794793376203,"n":1}'), insert('{"at":1794793376999,"n":2}'), {
    volatile: { 't.meta$.at': 'time' },
  })
  expect(renderDiff(diff)).toContain('meta  {"at":<time ms>,"n":1} → {"at":<time ms>,"n":2}')
})

test('a path into a column that is not there is a mistake, and so is one that is none', async () => {
  for (const column of ['t.mta$.at', 't.meta$at', 't.meta$.a[']) {
    await expect(difference(table, '', '', { volatile: { [column]: 'time' } })).rejects.toMatchObject({
      code: 'BAD_OPTION',
    })
  }
  expect(parseJsonPath('$."a]b"[0].c')).toEqual(['a]b', 0, 'c'])
})

test('values are found where the text has them', () => {
  const text = ' { "a" : [ 1 , "]}\\"," , { } , [ ] ] , "b":null } '
  expect(jsonValues(text).map(({ path, start, end }) => [path.join('/'), text.slice(start, end)])).toEqual([
    ['', text.trim()],
    ['a', '[ 1 , "]}\\"," , { } , [ ] ]'],
    ['a/0', '1'],
    ['a/1', '"]}\\","'],
    ['a/2', '{ }'],
    ['a/3', '[ ]'],
    ['b', 'null'],
  ])
})
