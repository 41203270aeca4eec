import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { nextMark, selectMarks, toMarks, updateMark } from '../../../src/backends/sqlite/log-mark.ts'
import { startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]
const appender = new URL('./children/append.ts', import.meta.url)
const exiting = new URL('./children/exit-when-told.ts', import.meta.url)
const released = new URL('./golden/schema-1.db', import.meta.url)

/** Opens, writes one turn and closes: each time another log, which is gone when it returns. */
async function write(file: string, content: string): Promise<string> {
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn(content))
  return file
}

/** Two backups, an old one and the newest, and a file whose writer was killed and left a log. */
async function killed() {
  const folder = await temporaryFolder()
  const file = await write(join(folder, 'agent.db'), 'one')
  await copyFile(file, join(folder, 'old.db'))
  await write(file, 'two')
  await copyFile(file, join(folder, 'newest.db'))
  const writer = startChild(appender, { url: `sqlite:${file}`, writer: 'killed', count: 100_000 })
  let acknowledged: number[] = []
  writer.on('message', ({ seqs }: { seqs: number[] }) => {
    acknowledged = [...acknowledged, ...seqs]
    if (acknowledged.length >= 10) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(32)
  for (const part of [file, `${file}-wal`]) await copyFile(part, part.replace('agent', 'dead'))
  return { folder, file, wal: `${file}-wal`, acknowledged }
}

const digestsOf = (...files: string[]) =>
  Promise.all(
    files.map(async (file) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  )

const replacements: Record<string, (folder: string, file: string) => Promise<unknown>> = {
  'an old backup, renamed over it': (folder, file) => rename(join(folder, 'old.db'), file),
  'an old backup, copied over it': (folder, file) => copyFile(join(folder, 'old.db'), file),
  'another memory': async (folder, file) => rename(await write(join(folder, 'other.db'), 'one'), file),
  'a backup of an older version': (_folder, file) => copyFile(released, file),
  "someone else's database": async (folder, file) => {
    const other = new Database(join(folder, 'other.db'))
    other.exec('CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES (1)')
    other.close()
    await rename(join(folder, 'other.db'), file)
  },
  'an empty file': (_folder, file) => truncate(file),
  'no file': (_folder, file) => rm(file),
}

test.each(Object.keys(replacements))(
  'sqlite.12: the log of a killed writer is not applied to %s, and both ways out work',
  async (replacement) => {
    const { folder, file, wal, acknowledged } = await killed()
    await replacements[replacement]?.(folder, file)
    const isThere = replacement !== 'no file'
    const before = await digestsOf(wal, ...(isThere ? [file] : []))
    for (const readOnly of [false, true, false]) {
      await expect(openMemory(`sqlite:${file}`, { readOnly })).rejects.toMatchObject({
        code: 'CANNOT_OPEN',
        applied: 'no',
        message: /agent\.db-wal is not the log of .*remove .*agent\.db-wal.*put back the file/,
      })
    }
    expect(await digestsOf(wal, ...(isThere ? [file] : []))).toEqual(before)
    expect((await readdir(folder)).includes('agent.db')).toBe(isThere)

    if (/backup,|memory/.test(replacement)) {
      await rename(wal, `${wal}.away`)
      await using memory = await openMemory(`sqlite:${file}`)
      expect(await memory.getHistory('s')).toEqual(turn('one'))
      expect(await memory.getHistory('shared')).toEqual([])
      await memory.close()
      await rename(`${wal}.away`, wal)
    }
    await rename(join(folder, 'dead.db'), file)
    await using memory = await openMemory(`sqlite:${file}`)
    expect(await memory.getHistory('s')).toEqual([...turn('one'), ...turn('two')])
    expect((await memory.getHistory('shared')).seqs.slice(0, acknowledged.length)).toEqual(acknowledged)
    expect((await memory.verify()).damage).toEqual([])
  },
)

test('sqlite.12: a log opens with the file it continues: in place, copied with it, or with a backup from when it began', async () => {
  const { folder, file, acknowledged } = await killed()
  await rename(join(folder, 'dead.db-wal'), join(folder, 'newest.db-wal'))
  for (const name of ['newest.db', 'agent.db']) {
    for (const readOnly of [true, false]) {
      await using memory = await openMemory(`sqlite:${join(folder, name)}`, { readOnly })
      expect(await memory.getHistory('s')).toEqual([...turn('one'), ...turn('two')])
      expect((await memory.getHistory('shared')).seqs.slice(0, acknowledged.length)).toEqual(acknowledged)
      expect((await memory.verify()).damage).toEqual([])
    }
  }
  expect(await readdir(folder)).toEqual(expect.not.arrayContaining([`${file}-wal`]))
})

test('sqlite.12: a log of which SQLite would read nothing keeps no file from opening', async () => {
  const { folder, file, wal } = await killed()
  const bytes = await readFile(wal)
  for (const harmless of [
    bytes.subarray(0, 20),
    bytes.subarray(0, 32),
    bytes.subarray(0, 2000),
    Buffer.alloc(100_000),
    Buffer.concat([bytes.subarray(0, 5000).fill(7, 100, 101), bytes.subarray(5000)]),
  ]) {
    await copyFile(join(folder, 'old.db'), file)
    await writeFile(wal, harmless)
    await using memory = await openMemory(`sqlite:${file}`)
    expect(await memory.getHistory('s')).toEqual(turn('one'))
  }
})

test('sqlite.12: every log begins with its mark, also the one that a full log is followed by', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.db')
  const memory = await openMemory(`sqlite:${file}`, { durability: 'process' })
  onTestFinished(() => memory.close())
  const salts = new Set<string>()
  for (let round = 0; round < 40; round++) {
    await memory.addMessages('s', turn(`${round} ${'x'.repeat(400_000)}`))
    const wal = await readFile(`${file}-wal`)
    salts.add(wal.toString('hex', 16, 24))
    expect(wal.toString('latin1', 32 + 24, 32 + 24 + 4096)).toMatch(/[0-9]{10} [0-9a-f]{22} [0-9a-f]{22}$/)
  }
  expect(salts.size).toBeGreaterThan(2)
})

test('sqlite.12: the log of a file that something is copied over is not applied to it when its process ends', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.db')
  const kept = await write(join(folder, 'kept.db'), 'kept')
  const other = await write(join(folder, 'other.db'), 'other')
  for (let round = 0; round < 4; round++) {
    await rm(`${file}-wal`, { force: true })
    await copyFile(kept, file)
    const child = startChild(exiting, { url: `sqlite:${file}` })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'message')
    await copyFile(other, file)
    const ended = once(child, 'close')
    child.send('end')
    await ended
    expect(await digestsOf(file)).toEqual(await digestsOf(other))
    expect((await stat(`${file}-wal`)).size).toBeGreaterThan(32)
  }
})

test('sqlite.12: a log that SQLite did not restart, so that the next mark is in its middle, opens', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.db')
  const copy = join(folder, 'copy.db')
  await using memory = await openMemory(`sqlite:${file}`)
  const database = new Database(file)
  onTestFinished(() => void database.close())
  for (const content of ['one', 'two', 'three']) {
    await memory.addMessages('s', turn(content))
    const last = toMarks(database.prepare<[], { mark: string }>(selectMarks).all())?.[0]
    if (last === undefined) throw new Error('the file has no marks')
    const [update, mark] = updateMark(nextMark(last))
    database.prepare(update).run(mark)
    for (const suffix of ['', '-wal']) await copyFile(`${file}${suffix}`, `${copy}${suffix}`)
    await using copied = await openMemory(`sqlite:${copy}`)
    expect((await copied.getHistory('s')).at(-1)?.content).toBe(content)
  }
})
