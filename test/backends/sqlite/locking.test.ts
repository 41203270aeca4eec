import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../../src/backends/sqlite/connection.ts'
import { GroupCommit } from '../../../src/backends/sqlite/group-commit.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]

/** Counts the commits in a write-ahead log: a frame that ends a transaction carries the size of the database. */
function commitsIn(walFile: string): number {
  if (!existsSync(walFile)) return 0
  const wal = readFileSync(walFile)
  const frameSize = 24 + wal.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame + frameSize <= wal.length; frame += frameSize) {
    const sameLog = wal.readUInt32BE(frame + 8) === wal.readUInt32BE(16)
    if (sameLog && wal.readUInt32BE(frame + 4) > 0) commits += 1
  }
  return commits
}

test('sqlite.3: waiting for a lock leaves the event loop free, and the write goes through afterwards', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  const rival = new Database(file)
  onTestFinished(() => void rival.close())
  rival.exec('BEGIN IMMEDIATE')
  let done = false
  const adding = memory.addMessages('s', turn('waits')).finally(() => {
    done = true
  })
  for (let turns = 0; turns < 1000; turns++) await nextTurn()
  expect(done).toBe(false)
  expect(await memory.getHistory('s')).toEqual([])
  rival.exec('COMMIT')
  expect((await adding).seqs).toEqual([1])
})

test('sqlite.3: a lock that outlasts the deadline is a typed error, and nothing was written', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`, { timeout: 60 })
  const rival = new Database(file)
  onTestFinished(() => void rival.close())
  rival.exec('BEGIN IMMEDIATE')
  await expect(memory.addMessages('s', turn('late'))).rejects.toMatchObject({
    code: 'TIMEOUT',
    applied: 'no',
    retryable: true,
  })
  rival.exec('COMMIT')
  expect((await memory.addMessages('s', turn('after'))).seqs).toEqual([1])
  expect(await memory.getHistory('s')).toEqual(turn('after'))
})

test('sqlite.4: writes at the same time share one transaction; those that are refused harm no other', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  const { version } = await memory.addMessages('s', turn('first'))
  const before = commitsIn(`${file}-wal`)
  const results = await Promise.allSettled([
    ...Array.from({ length: 60 }, (_, writer) => memory.addMessages(`session ${writer % 7}`, turn(`${writer}`))),
    memory.addMessages('s', turn('conflict'), { ifVersion: 'stale' }),
    memory.addMessages('s', turn('winner'), { ifVersion: version }),
    memory.addMessages('s', turn('loser'), { ifVersion: version }),
    memory.deleteSnapshot('s', 'unknown'),
    memory.addMessages('s', [{ role: 'user', content: 1n as never }]),
  ])
  expect(commitsIn(`${file}-wal`) - before).toBe(1)
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 60 }, () => 'fulfilled'),
    'rejected',
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ])
  expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['first', 'winner'])
})

test('sqlite.4: a write that comes the moment another is acknowledged is not left lying', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const connection = await Connection.open(file, { durability: 'process' }, performance.now() + 5000)
  onTestFinished(() => connection.close())
  const writes = new GroupCommit(connection)
  const deadline = performance.now() + 30_000
  const after = (hops: number) => {
    let chain: Promise<unknown> = writes.add(() => 0, 0, deadline)
    for (let hop = 0; hop < hops; hop++) chain = chain.then((value) => value)
    return chain.then(() => writes.add(() => hops, 0, deadline))
  }
  for (let hops = 0; hops < 12; hops++) expect(await after(hops)).toBe(hops)
  const many = Array.from({ length: 300 }, (_, index) => index % 12)
  expect(await Promise.all(many.map(after))).toEqual(many)
})

test('sqlite.3: deleting many rows gives way to other work', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`, { durability: 'process' })
  const batch = Array.from({ length: 5000 }, (_, index) => ({ role: 'user' as const, content: `${index}` }))
  for (let round = 0; round < 6; round++) await memory.addMessages('big', batch)
  let turns = 0
  let deleting = true
  const counting = (async () => {
    for (; deleting; turns++) await nextTurn()
  })()
  expect(await memory.deleteSession('big')).toBe(true)
  deleting = false
  await counting
  expect(turns).toBeGreaterThan(25)
  const raw = new Database(file)
  onTestFinished(() => void raw.close())
  expect(raw.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0)
  expect(raw.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(0)
})

test('sqlite.11: nothing of a deleted session stays in the file or its log', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('someone to be forgotten', turn('a secret that nobody may find'))
  await memory.addMessages('someone else', turn('not secret'))
  expect(readFileSync(`${file}-wal`).includes('a secret that nobody may find')).toBe(true)
  await memory.deleteSession('someone to be forgotten')
  for (const part of [file, `${file}-wal`]) {
    const bytes = existsSync(part) ? readFileSync(part) : Buffer.alloc(0)
    expect(bytes.includes('a secret that nobody may find')).toBe(false)
    expect(bytes.includes('someone to be forgotten')).toBe(false)
  }
  expect(await memory.getHistory('someone else')).toEqual(turn('not secret'))
})

test.each([
  ['power', 2],
  ['process', 1],
] as const)(
  'sqlite.1: durability %s is what SQLite is set to, after the first write as well',
  async (durability, synchronous) => {
    const file = join(await temporaryFolder(), 'agent.db')
    const connection = await Connection.open(file, { durability }, performance.now() + 5000)
    onTestFinished(() => connection.close())
    connection.run('INSERT INTO erased_operations VALUES (?, ?, ?, ?, ?, ?)', Buffer.from('x'), 'x', '', 'x', 0, 0)
    connection.confirmDurability()
    expect(connection.pragma('synchronous')).toBe(synchronous)
    expect(connection.pragma('journal_mode')).toBe('wal')
    expect(connection.pragma('foreign_keys')).toBe(1)
    expect(connection.pragma('busy_timeout')).toBe(0)
  },
)

test('sqlite.1: a connection that fell back to weaker durability is noticed', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const connection = await Connection.open(file, {}, performance.now() + 5000)
  onTestFinished(() => connection.close())
  connection.pragma('synchronous = NORMAL')
  expect(() => connection.confirmDurability()).toThrow(/durability/)
})
