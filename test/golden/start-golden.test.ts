import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { inputsPath } from '../../src/golden/files/golden-names.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { ensureStartGolden } from '../../src/golden/start-golden.ts'
import { finish, startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { write } from './support/database.ts'

afterAll(stopFreezer)

const seedWith = (value: string) => (path: string) => {
  write(path, `CREATE TABLE t (v); INSERT INTO t VALUES ('${value}')`)
}

function valueIn(golden: string): unknown {
  const database = new Database(golden, { readonly: true })
  try {
    return database.prepare('SELECT v FROM t').pluck().get()
  } finally {
    database.close()
  }
}

test('is made once, by a seed whose connection may stay open', async () => {
  const path = join(await temporaryFolder(), 'deep', 'start.sqlite')
  let open: Database.Database | undefined
  await ensureStartGolden(
    {
      path,
      seed: (at) => {
        open = new Database(at)
        open.pragma('journal_mode = WAL')
        open.exec("CREATE TABLE t (v); INSERT INTO t VALUES ('first')")
      },
    },
    'new',
  )
  open?.close()
  await ensureStartGolden({ path, seed: seedWith('second') }, 'all')
  expect(valueIn(path)).toBe('first')
  expect(readdirSync(join(path, '..'))).toEqual(['start.sqlite'])
})

test('is made again when an input changed: a text, a file or a folder', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'start.sqlite')
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'migrations', '1.sql'), 'one\ntwo\n')
  writeFileSync(join(folder, 'schema.sql'), 'schema')
  const inputs = (version: string) => [
    version,
    pathToFileURL(join(folder, 'schema.sql')),
    pathToFileURL(join(folder, 'migrations')),
  ]
  const make = async (value: string, version = 'v1') => {
    await ensureStartGolden({ path, seed: seedWith(value), inputs: inputs(version) }, 'new')
    return valueIn(path)
  }
  expect(await make('a')).toBe('a')
  expect(await make('b')).toBe('a')
  expect(await make('c', 'v2')).toBe('c')
  writeFileSync(join(folder, 'schema.sql'), 'other')
  expect(await make('d', 'v2')).toBe('d')
  writeFileSync(join(folder, 'migrations', '2.sql'), 'three')
  expect(await make('e', 'v2')).toBe('e')
  writeFileSync(join(folder, 'migrations', '1.sql'), 'one\r\ntwo\r\n')
  expect(await make('f', 'v2')).toBe('e')
  expect(readFileSync(inputsPath(path), 'utf8')).toMatch(
    /^[0-9a-f]{32} text\n[0-9a-f]{32} schema\.sql\n[0-9a-f]{32} migrations\/1\.sql\n/,
  )
})

test('is made again where an input changed while its seed ran', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'start.sqlite')
  const schema = join(folder, 'schema.sql')
  writeFileSync(schema, 'first')
  const make = async (value: string, during: () => void) => {
    const seed = (at: string) => {
      seedWith(value)(at)
      during()
    }
    await ensureStartGolden({ path, seed, inputs: [pathToFileURL(schema)] }, 'new')
    return valueIn(path)
  }
  expect(await make('of the first', () => writeFileSync(schema, 'second'))).toBe('of the first')
  expect(await make('of the second', () => {})).toBe('of the second')
  expect(await make('none', () => {})).toBe('of the second')
})

test('is not made where nothing may be written', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'start.sqlite')
  await expect(ensureStartGolden({ path, seed: seedWith('a') }, 'none')).rejects.toMatchObject({ code: 'MISSING' })
  await ensureStartGolden({ path, seed: seedWith('a'), inputs: ['1'] }, 'new')
  await ensureStartGolden({ path, seed: seedWith('a'), inputs: ['1'] }, 'none')
  await expect(ensureStartGolden({ path, seed: seedWith('b'), inputs: ['2'] }, 'none')).rejects.toMatchObject({
    code: 'START_STALE',
  })
  expect(valueIn(path)).toBe('a')
})

/** A handle that is collected rolls back. */
const kept: Database.Database[] = []

const bad: [name: string, code: string, seed: ((path: string) => unknown) | undefined][] = [
  ['throws', 'SEED_FAILED', () => Promise.reject(new Error('no migration 7'))],
  ['leaves no file', 'SEED_EMPTY', () => {}],
  ['leaves an empty file', 'SEED_EMPTY', (path) => writeFileSync(path, '')],
  ['leaves no table', 'SEED_EMPTY', (path) => write(path, 'PRAGMA user_version = 0')],
  ['leaves something else', 'NOT_A_DATABASE', (path) => writeFileSync(path, 'x'.repeat(1000))],
  [
    'leaves a transaction open',
    'TRANSACTION_OPEN',
    (path) => kept.push(new Database(path).exec('CREATE TABLE t (v); BEGIN; INSERT INTO t VALUES (1)')),
  ],
  ['is missing', 'MISSING', undefined],
]

test.each(bad)('a seed that %s is a sentence, and nothing is written', async (_name, code, seed) => {
  const folder = await temporaryFolder()
  await expect(
    ensureStartGolden({ path: join(folder, 'start.sqlite'), seed, inputs: ['1'] }, 'new'),
  ).rejects.toMatchObject({ code })
  expect(readdirSync(folder)).toEqual([])
})

test('what is not a database is not replaced when inputs changed', async () => {
  const path = join(await temporaryFolder(), 'start.sqlite')
  writeFileSync(path, 'my notes')
  await expect(ensureStartGolden({ path, seed: seedWith('a'), inputs: ['1'] }, 'all')).rejects.toMatchObject({
    code: 'NOT_A_DATABASE',
  })
  expect(readFileSync(path, 'utf8')).toBe('my notes')
})

test('many that make it at once, in this and other processes, run one seed; one that dies in it holds nobody up', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'start.sqlite')
  const maker = new URL('./support/golden-maker.ts', import.meta.url)
  const dying = startChild(maker, { path, log: join(folder, 'log'), dies: true })
  await finish(dying)
  const others = [1, 2, 3].map(() => finish<string>(startChild(maker, { path, log: join(folder, 'log'), dies: false })))
  const results = await Promise.all(others)
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('dies\nmakes\n')
  expect(existsSync(path)).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['log', 'start.sqlite'])
})
