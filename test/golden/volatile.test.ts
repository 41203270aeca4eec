import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { compareDatabases } from '../../src/golden/compare/compare-databases.ts'
import { isEmptyDiff } from '../../src/golden/compare/diff.ts'
import { proposeVolatile, showProposal } from '../../src/golden/compare/propose-volatile.ts'
import type { VolatileColumns } from '../../src/golden/compare/volatile/shapes.ts'
import { GoldenError } from '../../src/golden/errors.ts'
import { difference, twoGoldens } from './support/database.ts'

const shop = `CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT, at INTEGER);
  CREATE TABLE orders (id TEXT PRIMARY KEY, user TEXT REFERENCES users (id), total INTEGER);
  CREATE TABLE items (orderId TEXT REFERENCES orders, position INTEGER, what TEXT, PRIMARY KEY (orderId, position))`
const volatile: VolatileColumns = { 'users.id': 'uuid', 'orders.id': 'uuid', 'users.at': 'time' }

interface Order {
  readonly user: string
  readonly total: number
  readonly items: readonly string[]
}

/** SQL of a shop with new ids. */
function fill(users: readonly string[], orders: readonly Order[]): string {
  const ids = new Map(users.map((name) => [name, randomUUID()]))
  const people = users.map((name) => `INSERT INTO users VALUES ('${ids.get(name)}', '${name}', ${Date.now()});`)
  const bought = orders.map(({ user, total, items }) => {
    const id = randomUUID()
    const rows = items.map((what, index) => `INSERT INTO items VALUES ('${id}', ${index}, '${what}');`)
    return `INSERT INTO orders VALUES ('${id}', '${ids.get(user)}', ${total}); ${rows.join('')}`
  })
  return [...people, ...bought].join('\n')
}

const orders: Order[] = [
  { user: 'Ann', total: 5, items: ['tea', 'cup'] },
  { user: 'Ben', total: 5, items: ['tea', 'cup'] },
  { user: 'Ann', total: 5, items: [] },
  { user: 'Ann', total: 5, items: [] },
]

test('new ids and times are equal, and foreign keys follow by themselves', async () => {
  const diff = await difference(shop, fill(['Ann', 'Ben'], orders), fill(['Ben', 'Ann'], orders.toReversed()), {
    volatile,
  })
  expect(diff.tables).toEqual([])
})

test('a foreign key that points to another row is a difference', async () => {
  const swapped = orders.map((order, index) => ({ ...order, user: index < 3 ? order.user : 'Ben' }))
  const diff = await difference(shop, fill(['Ann', 'Ben'], orders), fill(['Ann', 'Ben'], swapped), { volatile })
  expect(diff.tables).toMatchObject([
    { table: 'orders', changed: 1, removed: 0, added: 0, rows: [{ cells: [{ column: 'user' }] }] },
  ])
})

test('items that swapped their orders are a difference', async () => {
  const two = [
    { user: 'Ann', total: 1, items: ['tea'] },
    { user: 'Ann', total: 2, items: ['cup'] },
  ]
  const swapped = [
    { user: 'Ann', total: 1, items: ['cup'] },
    { user: 'Ann', total: 2, items: ['tea'] },
  ]
  expect(isEmptyDiff(await difference(shop, fill(['Ann'], two), fill(['Ann'], two), { volatile }))).toBe(true)
  const diff = await difference(shop, fill(['Ann'], two), fill(['Ann'], swapped), { volatile })
  expect(diff.tables).toMatchObject([{ table: 'items', changed: 2, removed: 0, added: 0 }])
})

test('one changed order is one change, however much hangs on it', async () => {
  const changed = orders.map((order, index) => (index === 0 ? { ...order, total: 6 } : order))
  const diff = await difference(shop, fill(['Ann', 'Ben'], orders), fill(['Ann', 'Ben'], changed), { volatile })
  expect(diff.tables).toMatchObject([
    {
      table: 'orders',
      changed: 1,
      removed: 0,
      added: 0,
      rows: [{ cells: [{ column: 'total', before: '5', after: '6' }] }],
    },
  ])
})

test('one order more is one order more', async () => {
  const more = [...orders, { user: 'Ben', total: 9, items: ['pot'] }]
  const diff = await difference(shop, fill(['Ann', 'Ben'], orders), fill(['Ann', 'Ben'], more), { volatile })
  expect(diff.tables).toMatchObject([
    { table: 'items', changed: 0, removed: 0, added: 1 },
    { table: 'orders', changed: 0, removed: 0, added: 1 },
  ])
})

test('one order replaced by another is one removed and one added', async () => {
  const before = [...orders, { user: 'Ben', total: 9, items: ['pot'] }]
  const after = [...orders, { user: 'Ann', total: 7, items: ['jug', 'mug'] }]
  const diff = await difference(shop, fill(['Ann', 'Ben'], before), fill(['Ann', 'Ben'], after), { volatile })
  const count = diff.tables.reduce((sum, { changed, removed, added }) => sum + changed + removed + added, 0)
  expect(count).toBeLessThanOrEqual(5)
})

test('a thousand rows that cannot be told apart are equal, and one fewer is not', async () => {
  const table = 'CREATE TABLE events (id TEXT PRIMARY KEY, chain TEXT)'
  const rows = (count: number) =>
    Array.from({ length: count }, () => `INSERT INTO events VALUES ('${randomUUID()}', '${randomUUID()}');`).join('')
  const both: VolatileColumns = { 'events.id': 'uuid', 'events.chain': 'uuid' }
  expect(isEmptyDiff(await difference(table, rows(1000), rows(1000), { volatile: both }))).toBe(true)
  const fewer = await difference(table, rows(1000), rows(999), { volatile: both })
  expect(fewer.tables).toMatchObject([{ changed: 0, removed: 1, added: 0 }])
})

test('chains and rings of random ids keep their structure', async () => {
  const table = 'CREATE TABLE links (a TEXT, b TEXT)'
  const ring = (...lengths: number[]) =>
    lengths
      .map((length) => {
        const ids = Array.from({ length }, () => randomUUID())
        return ids.map((id, index) => `INSERT INTO links VALUES ('${id}', '${ids[(index + 1) % length]}');`).join('')
      })
      .join('')
  const both: VolatileColumns = { 'links.a': 'uuid', 'links.b': 'uuid' }
  expect(isEmptyDiff(await difference(table, ring(3, 3), ring(3, 3), { volatile: both }))).toBe(true)
  expect(isEmptyDiff(await difference(table, ring(6), ring(3, 3), { volatile: both }))).toBe(false)
})

test('a text that reads like a number is not that number in another column', async () => {
  const schema = 'CREATE TABLE sessions (id INTEGER PRIMARY KEY, sum INTEGER, checksum TEXT)'
  const sums: VolatileColumns = { 'sessions.sum': 'random', 'sessions.checksum': 'random' }
  const row = (checksum: string) => `INSERT INTO sessions VALUES (1, 0, '${checksum}')`
  expect(isEmptyDiff(await difference(schema, row('8c1f22a9'), row('0e642350'), { volatile: sums }))).toBe(true)
})

test('ids that both databases have stand for themselves', async () => {
  const [one, two] = [randomUUID(), randomUUID()]
  const before = `INSERT INTO users VALUES ('${one}', 'Ann', 1), ('${two}', 'Ben', 1)`
  const after = `INSERT INTO users VALUES ('${one}', 'Ben', 1), ('${two}', 'Ann', 1)`
  expect((await difference(shop, before, after, { volatile })).tables).toMatchObject([{ table: 'users', changed: 2 }])
})

const shapes: [name: string, volatility: VolatileColumns[string], before: string, after: string, isEqual: boolean][] = [
  ['a uuid and a number', 'uuid', `'${randomUUID()}'`, '7', false],
  ['a uuid and a text of another shape', 'uuid', `'${randomUUID()}'`, "'not-a-uuid'", false],
  ['a uuid and NULL', 'uuid', `'${randomUUID()}'`, 'NULL', false],
  ['a uuid as text and as bytes', 'uuid', `'${randomUUID()}'`, `x'${randomUUID().replaceAll('-', '')}'`, false],
  [
    'two uuids as bytes',
    'uuid',
    `x'${randomUUID().replaceAll('-', '')}'`,
    `x'${randomUUID().replaceAll('-', '')}'`,
    true,
  ],
  ['two times', 'time', "'2024-01-01T00:00:00.000Z'", "'2025-06-01T10:00:00.123Z'", true],
  ['times with and without a zone', 'time', "'2024-01-01T00:00:00.000Z'", "'2025-06-01 10:00:00'", false],
  ['seconds and milliseconds', 'time', '1700000000', '1700000000000', false],
  ['milliseconds as text', 'time', "'1794793376203.0'", "'1794793390001.0'", true],
  ['milliseconds as text and as a number', 'time', "'1794793376203'", '1794793390001', false],
  ['milliseconds and seconds as text', 'time', "'1794793376203'", "'1794793390'", false],
  ['milliseconds as text, with and without a fraction', 'time', "'1794793376203.0'", "'1794793390001'", false],
  ['a time and a number of another size as text', 'time', "'1794793376203'", "'17'", false],
  ['two of toUTCString', 'time', "'Mon, 16 Nov 2026 02:00:00 GMT'", "'Tue, 17 Nov 2026 12:30:59 GMT'", true],
  [
    'one of toUTCString and one of toISOString',
    'time',
    "'Mon, 16 Nov 2026 02:00:00 GMT'",
    "'2026-11-16T02:00:00Z'",
    false,
  ],
  [
    'one of toUTCString and no date',
    'time',
    "'Mon, 16 Nov 2026 02:00:00 GMT'",
    "'Mon, 16 Nox 2026 02:00:00 GMT'",
    false,
  ],
  [
    'two of toString',
    'time',
    "'Mon Nov 16 2026 02:00:00 GMT+0000 (Coordinated Universal Time)'",
    "'Tue Nov 17 2026 12:30:59 GMT+0100 (Central European Standard Time)'",
    true,
  ],
  ['seconds and zero', 'time', '1700000000', '0', false],
  ['two random integers', 'random', '123456789', '987654321', true],
  ['a random integer and a random text', 'random', '123456789', "'987654321'", false],
  [
    'two that a function takes',
    (value) => typeof value === 'string' && value.startsWith('key_'),
    "'key_a'",
    "'key_b'",
    true,
  ],
  [
    'one that a function does not take',
    (value) => typeof value === 'string' && value.startsWith('key_'),
    "'key_a'",
    "'b'",
    false,
  ],
  [
    'two that a function makes the same',
    (value) => String(value).replace(/\d+/, 'N'),
    "'took 12 ms'",
    "'took 7 ms'",
    true,
  ],
  [
    'two that a function makes two',
    (value) => String(value).replace(/\d+/, 'N'),
    "'took 12 ms'",
    "'needs 7 ms'",
    false,
  ],
]

test.each(shapes)('%s', async (_name, volatility, before, after, isEqual) => {
  const insert = (value: string) => `INSERT INTO t VALUES (1, ${value})`
  const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)'
  const diff = await difference(table, insert(before), insert(after), { volatile: { 't.v': volatility } })
  expect(isEmptyDiff(diff)).toBe(isEqual)
})

test('a column that its table does not have is a mistake; a table that is nowhere is not', async () => {
  await expect(difference(shop, '', '', { volatile: { 'users.nmae': 'uuid' } })).rejects.toThrow(GoldenError)
  expect(isEmptyDiff(await difference(shop, '', '', { volatile: { 'elsewhere.id': 'uuid' } }))).toBe(true)
})

test('a mismatch of nothing but new ids and times proposes the line to add, and no more than is needed', async () => {
  const [before, after] = await twoGoldens(
    `${shop};${fill(['Ann', 'Ben'], orders)}`,
    `${shop};${fill(['Ann', 'Ben'], orders)}`,
  )
  const diff = compareDatabases(before, after)
  const { proposal = {}, stillDiffers } = proposeVolatile(before, after, diff, {}) ?? {}
  expect(stillDiffers).toEqual([])
  expect(proposal['users.id']).toBe('uuid')
  expect(proposal['orders.id']).toBe('uuid')
  expect(Object.keys(proposal)).not.toContain('orders.user')
  expect(showProposal(proposal)).toMatch(/^volatile: \{ .*'orders\.id': 'uuid'.* \}$/)
  expect(isEmptyDiff(compareDatabases(before, after, { volatile: proposal }))).toBe(true)
})

test('where something else differs too, the known part is proposed and the rest is named', async () => {
  const other = orders.map((order) => ({ ...order, total: 1 }))
  const [before, after] = await twoGoldens(
    `${shop};${fill(['Ann', 'Ben'], orders)}`,
    `${shop};${fill(['Ann', 'Ben'], other)}`,
  )
  const { proposal = {}, stillDiffers } = proposeVolatile(before, after, compareDatabases(before, after), {}) ?? {}
  expect(proposal).toMatchObject({ 'users.id': 'uuid', 'orders.id': 'uuid' })
  expect(Object.keys(proposal)).not.toContain('orders.total')
  expect(stillDiffers).toEqual(['orders.total'])
})

test('ids that changed places are shown where they are used, not where they are declared', async () => {
  const users = ['Ann', 'Ben', 'Cid']
  const order = (user: string, total: number) => ({ user, total, items: [] })
  const before = [order('Ann', 1), order('Ann', 2), order('Ben', 3), order('Ben', 4), order('Cid', 5)]
  const after = [order('Ben', 1), order('Ben', 2), order('Ann', 3), order('Ann', 4), order('Cid', 5)]
  for (let run = 0; run < 5; run++) {
    const { tables } = await difference(shop, fill(users, before), fill(users, after), { volatile })
    expect(tables).toMatchObject([{ table: 'orders', changed: 4, removed: 0, added: 0 }])
    const columns = tables[0]?.rows.flatMap((row) => row.cells.map(({ column }) => column))
    expect(new Set(columns)).toEqual(new Set(['user']))
  }
})

const people = `CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT, mail TEXT);
  CREATE TABLE notes (n INTEGER PRIMARY KEY, user TEXT REFERENCES users (id), text TEXT)`

/** SQL of two users with their mails, and of notes by their owners. */
function takeNotes(domain: string, owners: readonly ('Ann' | 'Ben')[]): string {
  const ids = { Ann: randomUUID(), Ben: randomUUID() }
  const notes = owners.map((owner, index) => `INSERT INTO notes VALUES (${index}, '${ids[owner]}', 'note ${index}');`)
  return `INSERT INTO users VALUES ('${ids.Ann}', 'Ann', 'a@${domain}'), ('${ids.Ben}', 'Ben', 'b@${domain}'); ${notes.join('')}`
}

test('rows that changed, too, are still known by the rest of their own columns', async () => {
  const before = takeNotes('old', ['Ann', 'Ann', 'Ben'])
  const diff = await difference(people, before, takeNotes('new', ['Ben', 'Ben', 'Ann']), {
    volatile: { 'users.id': 'uuid' },
  })
  expect(diff.tables).toMatchObject([
    { table: 'notes', changed: 3, removed: 0, added: 0 },
    { table: 'users', changed: 2, removed: 0, added: 0 },
  ])
  const changed = diff.tables[1]?.rows.flatMap((row): unknown[] => [...row.cells])
  expect(changed).toEqual([
    { column: 'mail', before: "'a@old'", after: "'a@new'" },
    { column: 'mail', before: "'b@old'", after: "'b@new'" },
  ])
})

test('a row that only one points to is not mistaken for another because the pointer has moved', async () => {
  const diff = await difference(people, takeNotes('x', ['Ann']), takeNotes('x', ['Ben']), {
    volatile: { 'users.id': 'uuid' },
  })
  expect(diff.tables).toMatchObject([{ table: 'notes', changed: 1, removed: 0, added: 0 }])
})
