import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { lookAtFolder } from '../../support/look-at-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]

/** A file at rest with one turn and one snapshot. */
async function kept() {
  const folder = await temporaryFolder()
  const url = `sqlite:${join(folder, 'agent.db')}`
  await using memory = await openMemory(url)
  await memory.addMessages('s', turn('kept'))
  await memory.saveSnapshot('s', { id: 'p' })
  return { folder, url, copy: await memory.exportSession('s') }
}

test('sqlite.9: reading changes neither the file nor its folder', async () => {
  const { folder, url } = await kept()
  const before = await lookAtFolder(folder)
  const reader = await openMemory(url, { readOnly: true })
  expect(await reader.getHistory('s')).toEqual(turn('kept'))
  expect((await reader.verify()).ok).toBe(true)
  expect((await reader.exportSession('s')).snapshots.length).toBe(1)
  await reader.stats()
  await reader.health()
  await reader.close()
  expect(await lookAtFolder(folder)).toEqual(before)
})

test('sqlite.9: every write is rejected', async () => {
  const { folder, url, copy } = await kept()
  const before = await lookAtFolder(folder)
  const reader = await openMemory(url, { readOnly: true })
  for (const write of [
    () => reader.addMessages('s', turn('more')),
    () => reader.addMessages('new', turn('more'), { ifVersion: 'stale' }),
    () => reader.clear('s'),
    () => reader.saveSnapshot('s'),
    () => reader.rollbackToSnapshot('s', 'p'),
    () => reader.deleteSnapshot('s', 'p'),
    () => reader.deleteSession('s'),
    () => reader.deleteSession('unknown'),
    () => reader.expire('s', { ttl: 1 }),
    () => reader.fork('s', 't'),
    () => reader.importSession({ ...copy, id: 't' }),
    () => reader.sweep(),
  ]) {
    await expect(write()).rejects.toMatchObject({ code: 'READ_ONLY', applied: 'no' })
  }
  await reader.close()
  expect(await lookAtFolder(folder)).toEqual(before)
})

test('sqlite.9: it sees what others write meanwhile, and leaves their files to them', async () => {
  const folder = await temporaryFolder()
  const url = `sqlite:${join(folder, 'agent.db')}`
  const first = await openMemory(url)
  await first.addMessages('s', turn('one'))
  const reader = await openMemory(url, { readOnly: true })
  expect((await reader.getHistory('s')).length).toBe(1)
  await first.addMessages('s', turn('two'))
  expect((await reader.getHistory('s')).length).toBe(2)
  await reader.close()
  const early = await openMemory(url, { readOnly: true })
  await first.close()
  const second = await openMemory(url)
  await second.addMessages('s', turn('three'))
  await early.close()
  await second.addMessages('s', turn('four'))
  expect((await second.getHistory('s')).length).toBe(4)
  await second.close()
  expect(await readdir(folder)).toEqual(['agent.db'])
})

test('sqlite.9: what a dead writer left in the log is read, and stays there', async () => {
  const folder = await temporaryFolder()
  const dead = await temporaryFolder()
  const file = join(folder, 'agent.db')
  const writer = await openMemory(`sqlite:${file}`)
  await writer.addMessages('s', turn('in the log'))
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(dead, name))
  await writer.close()
  const names = ['agent.db', 'agent.db-wal']
  const bytes = () => Promise.all(names.map((name) => readFile(join(dead, name), 'hex')))
  const before = await bytes()
  const reader = await openMemory(`sqlite:${join(dead, 'agent.db')}`, { readOnly: true })
  expect(await reader.getHistory('s')).toEqual(turn('in the log'))
  await reader.close()
  expect(await bytes()).toEqual(before)
})

test('sqlite.9: a missing, empty, foreign, older or newer file is refused and nothing is created', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.db')
  const open = () => openMemory(`sqlite:${file}`, { readOnly: true })
  await expect(open()).rejects.toMatchObject({ code: 'CANNOT_OPEN', applied: 'no', message: /there is no file/ })
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, '')
  await expect(open()).rejects.toMatchObject({ code: 'NOT_A_MEMORY' })
  expect((await stat(file)).size).toBe(0)
  await (await openMemory(`sqlite:${file}`)).close()
  for (const [sql, code] of [
    ['PRAGMA user_version = 0', 'SCHEMA_TOO_OLD'],
    ['PRAGMA user_version = 999', 'SCHEMA_TOO_NEW'],
    ['PRAGMA application_id = 1', 'NOT_A_MEMORY'],
  ] as const) {
    const raw = new Database(file)
    raw.exec(sql)
    raw.close()
    const before = await lookAtFolder(folder)
    await expect(open()).rejects.toMatchObject({ code, applied: 'no' })
    expect(await lookAtFolder(folder)).toEqual(before)
  }
  for (const url of ['memory:', 'sqlite::memory:']) {
    await expect(openMemory(url, { readOnly: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  }
  await expect(openMemory('memory:', { readOnly: 1 as never })).rejects.toBeInstanceOf(TypeError)
})
