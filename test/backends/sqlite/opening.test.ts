import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../../src/backends/sqlite/connection.ts'
import { GroupCommit } from '../../../src/backends/sqlite/group-commit.ts'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
import { isSafeSqlite } from '../../../src/backends/sqlite/prepare-file.ts'
import { schemaVersion } from '../../../src/backends/sqlite/schema.ts'
import { finish, startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import * as expected from './golden/content.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]
const digest = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
const filler = new URL('./children/open-and-fill.ts', import.meta.url)

interface Outcome {
  acknowledged: number
  code: string | null
  applied?: string
  message?: string
  isTyped?: boolean
}

test('sqlite.6: a file that is not a database is refused and stays as it is', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'notes.txt')
  await writeFile(file, 'Dear diary, this is not a database. '.repeat(300))
  const before = await digest(file)
  await expect(openMemory(`sqlite:${file}`)).rejects.toMatchObject({ code: 'NOT_A_MEMORY', applied: 'no' })
  expect(await digest(file)).toBe(before)
  expect(await readdir(folder)).toEqual(['notes.txt'])
})

test("sqlite.6: someone else's database is refused and stays as it is", async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'other.db')
  const other = new Database(file)
  other.exec('CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES (1)')
  other.close()
  const before = await digest(file)
  await expect(openMemory(`sqlite:${file}`)).rejects.toMatchObject({ code: 'NOT_A_MEMORY', message: /not a memory/ })
  expect(await digest(file)).toBe(before)
  expect(await readdir(folder)).toEqual(['other.db'])
})

test('sqlite.10: only a SQLite that keeps what it committed is used', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '3.53.2', '4.0.0']) expect(isSafeSqlite(version)).toBe(true)
  for (const version of ['3.51.2', '3.51', '3.50.4', '3.9.99', '2.60.9']) expect(isSafeSqlite(version)).toBe(false)
})

test('sqlite.6: a folder, a folder that does not exist, and a URL without a file', async () => {
  const folder = await temporaryFolder()
  await expect(openMemory(`sqlite:${folder}`)).rejects.toMatchObject({ code: 'CANNOT_OPEN', applied: 'no' })
  await expect(openMemory(`sqlite:${join(folder, 'a', 'b.db')}`)).rejects.toMatchObject({ code: 'CANNOT_OPEN' })
  expect(await readdir(folder)).toEqual([])
  for (const url of ['sqlite:', 'sqlite://agent.db', 'mysql://x', 'agent.db', '', 'memory:x', 7, undefined]) {
    await expect(openMemory(url as string)).rejects.toMatchObject({ name: 'TypeError', code: 'INVALID_ARGUMENT' })
  }
  await expect(openMemory('memory:', { durability: 'some' as never })).rejects.toBeInstanceOf(TypeError)
  await expect(openMemory('memory:', { tll: 5 } as never)).rejects.toBeInstanceOf(TypeError)
})

test('an empty file and odd names are fine', async () => {
  const folder = await temporaryFolder()
  for (const name of ['empty', 'a b?mode=ro#x%20.db', 'ü🐟.db']) {
    const file = join(folder, name)
    await writeFile(file, '')
    await using memory = await openMemory(`sqlite:${file}`)
    await memory.addMessages('s', turn(name))
    expect(await memory.getHistory('s')).toEqual(turn(name))
  }
  expect((await readdir(folder)).length).toBe(3)
})

test('sqlite.5: a newer file is refused with a sentence that says so', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await (await openMemory(`sqlite:${file}`)).close()
  const raw = new Database(file)
  raw.pragma(`user_version = ${schemaVersion + 1}`)
  raw.close()
  await expect(openMemory(`sqlite:${file}`)).rejects.toMatchObject({
    code: 'SCHEMA_TOO_NEW',
    message: /newer unforget.*upgrade/,
  })
})

test('sqlite.5: a process that is open while a newer one upgrades the file stops writing', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn('before'))
  const raw = new Database(file)
  onTestFinished(() => void raw.close())
  raw.pragma(`user_version = ${schemaVersion + 1}`)
  const refused = { code: 'SCHEMA_TOO_NEW', applied: 'no' }
  await expect(memory.addMessages('s', turn('after'))).rejects.toMatchObject(refused)
  await expect(memory.clear('s')).rejects.toMatchObject(refused)
  await expect(memory.deleteSession('s')).rejects.toMatchObject(refused)
  expect(raw.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(1)
})

/** A user without rights: root may write everywhere. */
const nobody = process.getuid?.() === 0 ? 65534 : null

test('sqlite.6: a file that may not be written is a typed error, and stays as it is', async () => {
  const folder = await temporaryFolder()
  const closed = join(folder, 'closed')
  await mkdir(closed)
  const file = join(closed, 'agent.db')
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn('kept'))
  await memory.close()
  const before = await digest(file)
  await chmod(folder, 0o755)
  await chmod(file, 0o444)
  await chmod(closed, 0o555)
  onTestFinished(() => chmod(closed, 0o755))
  for (const [name, codes] of [
    ['agent.db', ['READ_ONLY', 'CANNOT_OPEN']],
    ['new.db', ['CANNOT_OPEN']],
  ] as const) {
    const child = startChild(filler, { url: `sqlite:${join(closed, name)}`, most: 1, uid: nobody })
    const [outcome] = (await finish<Outcome>(child)).messages
    expect(outcome).toMatchObject({ acknowledged: 0, applied: 'no', isTyped: true })
    expect(codes).toContain(outcome?.code)
  }
  expect(await digest(file)).toBe(before)
  expect(await readdir(closed)).toEqual(['agent.db'])
})

test('sqlite.7: when the disk takes no more, what was acknowledged is there and later writes go on', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const url = `sqlite:${file}`
  const script = 'trap "" XFSZ; ulimit -f 2000; exec "$0" "$@"'
  const argument = JSON.stringify({ url, most: 500, uid: null })
  const child = spawn('bash', ['-c', script, process.execPath, fileURLToPath(filler), argument], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [outcome] = (await finish<Outcome>(child)).messages
  expect(outcome).toMatchObject({ isTyped: true })
  expect(outcome?.acknowledged).toBeGreaterThan(3)
  await using memory = await openMemory(url)
  const history = await memory.getHistory('s')
  const acknowledged = outcome?.acknowledged ?? 0
  expect(history.length - acknowledged).toBeGreaterThanOrEqual(0)
  expect(history.length - acknowledged).toBeLessThanOrEqual(outcome?.applied === 'unknown' ? 1 : 0)
  expect(history.every(({ content }, index) => String(content).startsWith(`${index} `))).toBe(true)
  expect((await memory.verify()).damage).toEqual([])
  await memory.addMessages('s', turn('and on'))
})

test('sqlite.7: a full disk rejects the write that needs the space, and none of those beside it', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const connection = await Connection.open(file, {}, performance.now() + 5000)
  onTestFinished(() => connection.close())
  const writes = new GroupCommit(connection)
  const deadline = performance.now() + 5000
  const insert = (id: string, size: number) =>
    writes.add(
      () =>
        connection.run(
          "INSERT INTO erased_operations VALUES (?, ?, '', ?, 0, 0)",
          Buffer.from(id),
          id,
          'x'.repeat(size),
        ),
      size,
      deadline,
    )
  connection.pragma(`max_page_count = ${Number(connection.pragma('page_count')) + 3}`)
  const results = await Promise.allSettled([insert('a', 10), insert('b', 1_000_000), insert('c', 10)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code: 'DISK_FULL', applied: 'no' } })
  connection.pragma('max_page_count = 1000000')
  expect(await insert('d', 1_000_000)).toBe(1)
  expect(connection.all('SELECT id FROM erased_operations ORDER BY id')).toEqual([
    { id: 'a' },
    { id: 'c' },
    { id: 'd' },
  ])
})

test.each(readdirSync(new URL('./golden', import.meta.url)).filter((name) => name.endsWith('.db')))(
  'sqlite.5: a memory of a released schema (%s) opens, reads as it was written, and goes on',
  async (name) => {
    const file = join(await temporaryFolder(), 'agent.db')
    await copyFile(new URL(`./golden/${name}`, import.meta.url), file)
    await using memory = await openMemory(`sqlite:${file}`)
    expect(await memory.getHistory('s')).toEqual(expected.history)
    expect(await memory.getEntries('s', { at: 'before' })).toMatchObject(expected.entriesBefore)
    expect((await memory.listSnapshots('s')).map(({ id, label }) => [id, label])).toEqual(expected.snapshots)
    expect((await memory.recall('s', [1, 0, 0])).map(({ summary }) => summary)).toEqual([expected.summary])
    await expect(memory.addMessages('s', expected.firstTurns, { operationId: 'first' })).resolves.toMatchObject({
      seqs: [1, 2, 3],
    })
    await memory.rollbackToSnapshot('s', 'before')
    expect((await memory.getHistory('s')).length).toBe(expected.firstTurns.length)
    expect((await memory.verify()).damage).toEqual([])
  },
)

test('sqlite.5: what 0.1 did not keep is unknown, and each of its epochs took something back', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  await copyFile(new URL('./golden/schema-1.db', import.meta.url), file)
  const backend = await SqliteBackend.open(file)
  onTestFinished(() => backend.close())
  const soon = performance.now() + 5000
  const { state, epochs, about } = await backend.snapshots('s', soon)
  expect(state).toMatchObject({ takenBack: state?.epoch, takenBackNonce: state?.epochNonce })
  expect(epochs).toMatchObject([
    { number: 1, path: [[1, null]], cause: null, at: null, base: null },
    { number: 2, cause: null, at: null, base: null },
  ])
  expect(about).toEqual({ owner: null, title: null, metadata: null })
  expect((await backend.sessions(null, 10, soon)).sessions).toMatchObject([{ id: 's', about: { owner: null } }])
  expect(await backend.read('s', { operation: 'first' }, soon)).toMatchObject({
    operation: { committed: { first: 1 } },
  })
  const raw = new Database(file, { readonly: true })
  onTestFinished(() => void raw.close())
  expect(raw.prepare('SELECT id FROM operations').pluck().all()).toEqual(['first'])
})

test('sqlite.8: the file grows with the turns, not with the snapshots', async () => {
  const file = join(await temporaryFolder(), 'agent.db')
  const memory = await openMemory(`sqlite:${file}`, { durability: 'process' })
  let bytes = 0
  for (let index = 0; index < 800; index++) {
    const content = `${index} `.padEnd(500, 'turn ')
    bytes += content.length
    await memory.addMessages('s', turn(content))
    await memory.saveSnapshot('s', { label: `after turn ${index}` })
  }
  await memory.close()
  const size = (await readFile(file)).length
  expect(size / bytes).toBeLessThanOrEqual(2)
  await using again = await openMemory(`sqlite:${file}`)
  expect((await again.listSnapshots('s')).length).toBe(800)
})
