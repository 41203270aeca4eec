import { existsSync } from 'node:fs'
import { copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { faultProxy } from 'unforget/faults'
import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sessionChecksum } from '../../src/backends/sqlite/checksums.ts'
import { type SessionRow, toHead } from '../../src/backends/sqlite/rows.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { richStore } from './support/rich-store.ts'
import { start, unforget } from './support/run-cli.ts'

const server = await redisServer()
afterAll(() => server.stop())

test('a memory goes from SQLite to Redis and back, and says the same all the way', async () => {
  const { cwd } = await richStore()
  const there = await unforget(['copy', 'agent.db', server.url], { cwd })
  expect(there).toMatchObject({ stderr: '', code: 0 })
  expect(there.stdout).toMatch(/^[0-9a-f]{32} {2}rich$/m)
  expect(there.stdout).toContain('copied 4 sessions, 13 entries\nboth stores match\n')
  const back = await unforget(['copy', server.url, 'back.db', '--json'], { cwd })
  expect(JSON.parse(back.stdout)).toMatchObject({ copied: 4, present: 0, entries: 13, same: true })
  const [first, last] = await Promise.all(['agent.db', 'back.db'].map((store) => unforget(['export', store], { cwd })))
  expect(last).toEqual(first)
})

test('a copy into a folder that is missing is refused, and no file takes its name', async () => {
  const { cwd } = await richStore()
  expect(await unforget(['copy', 'agent.db', 'nope/'], { cwd })).toEqual({
    stdout: '',
    stderr: 'unforget: nope/ is a folder, not a file\n',
    code: 2,
  })
  expect(existsSync(join(cwd, 'nope'))).toBe(false)
})

test('a copy that was interrupted is started again and goes on', async () => {
  const cwd = await temporaryFolder()
  {
    await using memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
    for (let session = 0; session < 300; session++) {
      await memory.addMessages(`s${session}`, [{ role: 'user', content: 'x'.repeat(2000) }])
    }
  }
  const running = start(['copy', 'agent.db', 'other.db'], { cwd })
  await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`)
  while ((await other.listSessions({ limit: 5 })).sessions.length < 5) await other.health()
  running.child.kill('SIGKILL')
  await running.ended
  const again = await unforget(['copy', 'agent.db', 'other.db', '--json'], { cwd })
  expect(again.code).toBe(0)
  const { copied, present, same } = JSON.parse(again.stdout)
  expect({ sum: copied + present, same }).toEqual({ sum: 300, same: true })
  expect(present).toBeGreaterThanOrEqual(5)
})

test('a session that says something else there is named and left as it is', async () => {
  const { cwd } = await richStore()
  {
    await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`)
    await other.addMessages('rich', [{ role: 'user', content: 'mine' }])
  }
  const copied = await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  expect(copied.code).toBe(1)
  expect(copied.stdout).toContain('copied 3 sessions, 8 entries, 1 already present\n')
  expect(copied.stdout).not.toContain('both stores match')
  expect(copied.stderr).toMatch(/^unforget: session "rich" differs in the other store \(\w{32} here, \w{32} there\)/)
  await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`, { readOnly: true })
  expect(await other.getHistory('rich')).toEqual([{ role: 'user', content: 'mine' }])
})

test('with --replace a session that says something else there is copied again, and one that is the same is not', async () => {
  const { cwd, file } = await richStore()
  await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  {
    await using memory = await openMemory(`sqlite:${file}`)
    await memory.addMessages('rich', [{ role: 'user', content: 'since then' }])
  }
  expect((await unforget(['copy', 'agent.db', 'other.db'], { cwd })).code).toBe(1)
  const replaced = await unforget(['copy', 'agent.db', 'other.db', '--replace'], { cwd })
  expect(replaced).toMatchObject({ stderr: '', code: 0 })
  expect(replaced.stdout).toContain('copied 1 session, 6 entries, 1 replaced, 3 already present\nboth stores match\n')
  const [here, there] = await Promise.all(['agent.db', 'other.db'].map((store) => unforget(['export', store], { cwd })))
  expect(there).toEqual(here)
  await symlink('agent.db', join(cwd, 'link.db'))
  const itself = await unforget(['copy', 'agent.db', 'link.db', '--replace'], { cwd })
  expect(itself).toMatchObject({ stdout: '', code: 2 })
})

test('sessions that only the other store has are told of', async () => {
  const { cwd } = await richStore()
  {
    await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`)
    await other.addMessages('mine', [{ role: 'user', content: 'hello' }])
  }
  const copied = await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  expect(copied).toMatchObject({ stderr: '', code: 0 })
  expect(copied.stdout).toMatch(/^both stores match in these; the other one has 1 session more$/m)
  const again = await unforget(['copy', 'agent.db', 'other.db', '--json'], { cwd })
  expect(JSON.parse(again.stdout)).toMatchObject({ same: true, more: 1, copied: 0, present: 4 })
})

function execute(file: string, sql: string): void {
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  database.exec(sql)
  database.close()
}

const withoutFirst = "DELETE FROM entries WHERE session = (SELECT session FROM sessions WHERE id = 'rich') AND seq = 1"

test('a damaged session is named, the others are copied', async () => {
  const { cwd, file } = await richStore()
  execute(file, withoutFirst)
  const copied = await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  expect(copied.code).toBe(1)
  expect(copied.stderr).toBe('unforget: memory of session "rich" is lost: entries 1 are missing\n')
  expect(copied.stdout).toContain('copied 3 sessions')
  const again = await unforget(['copy', 'agent.db', 'other.db', '--json'], { cwd })
  const { same, sessions } = JSON.parse(again.stdout)
  expect(same).toBe(false)
  expect(sessions).toContainEqual({ id: 'rich', from: null, to: null, reason: 'entries 1 are missing' })
})

test('a session that is damaged in the other store is named, whatever it is in this one; the others are copied', async () => {
  const { cwd, file } = await richStore()
  await unforget(['export', 'agent.db', 'rich', '--output', 'rich.jsonl'], { cwd })
  await unforget(['import', 'other.db', 'rich.jsonl'], { cwd })
  execute(join(cwd, 'other.db'), "DELETE FROM sessions WHERE id = 'rich'")
  const copied = await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  expect(copied.stdout).toContain('copied 3 sessions')
  expect(copied.stderr).toBe('unforget: session "rich" is missing or incomplete in the other store\n')
  expect(copied.code).toBe(1)
  execute(file, withoutFirst)
  const both = await unforget(['copy', 'agent.db', 'other.db'], { cwd })
  expect(both.stderr).toContain('memory of session "rich" is lost')
  expect(both.code).toBe(1)
})

/** Sets the counter of a session to what no write makes it, in a row whose checksum is right. */
function countFrom(file: string, id: string, counter: number): void {
  const database = new Database(file)
  const found = database.prepare<[string], SessionRow>('SELECT * FROM sessions WHERE id = ?').get(id) as SessionRow
  const row = { ...found, counter }
  const checksum = sessionChecksum(id, row.session, toHead(row), row)
  database.prepare('UPDATE sessions SET counter = ?, checksum = ? WHERE id = ?').run(counter, checksum, id)
  database.close()
}

test('a session that no store takes is named, with the reason, and replaces none; the others are copied', async () => {
  const { cwd, file } = await richStore()
  {
    await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`)
    await other.addMessages('rich', [{ role: 'user', content: 'mine' }])
  }
  countFrom(file, 'rich', -1)
  const copied = await unforget(['copy', 'agent.db', 'other.db', '--replace'], { cwd })
  expect(copied.stdout).toContain('copied 3 sessions')
  expect(copied.stderr).toMatch(/^unforget: session "rich" cannot be copied: copy\.head\.counter: .+\n$/)
  expect(copied.code).toBe(1)
  await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`, { readOnly: true })
  expect(await other.getHistory('rich')).toEqual([{ role: 'user', content: 'mine' }])
})

test('a store by another name is found out to be the same, and left as it is', async () => {
  const { cwd } = await richStore()
  await symlink('agent.db', join(cwd, 'link.db'))
  expect((await unforget(['copy', 'agent.db', `${server.url}?prefix=named`], { cwd })).code).toBe(0)
  const other = new URL(`${server.url}?prefix=named`)
  other.hostname = 'localhost'
  for (const [from, to] of [
    ['agent.db', 'link.db'],
    [`${server.url}?prefix=named`, other.href],
  ] as const) {
    const exported = async () => (await unforget(['export', from], { cwd })).stdout.split('\n').sort()
    const before = await exported()
    const copied = await unforget(['copy', from, to], { cwd })
    expect(copied).toMatchObject({ stdout: '', code: 2 })
    expect(copied.stderr).toContain('source and target are the same store')
    expect(await exported()).toEqual(before)
  }
  const again = await unforget(['copy', 'agent.db', `${server.url}?prefix=named`], { cwd })
  expect(again.stdout).toContain('copied 0 sessions, 0 entries, 4 already present\nboth stores match\n')
})

test('a store is not copied into itself, nor from one that is not there', async () => {
  const { cwd } = await richStore()
  expect(await unforget(['copy', 'agent.db', 'sqlite:agent.db'], { cwd })).toMatchObject({ stdout: '', code: 2 })
  expect(await unforget(['copy', 'none.db', 'other.db'], { cwd })).toMatchObject({ stdout: '', code: 2 })
})

test('a session that the other store takes long for is waited for', async () => {
  const { cwd } = await richStore()
  const postgres = await postgresServer()
  onTestFinished(() => postgres.stop())
  const proxy = await faultProxy({ host: '127.0.0.1', port: postgres.port, protocol: 'postgres' })
  onTestFinished(() => proxy.close())
  const isImport = ({ args }: { args: readonly unknown[] }) => String(args[0]).includes('apply_change_2')
  const armed = proxy.arm({ do: 'delay', milliseconds: 6000, of: 'SELECT', where: isImport })
  const copied = await unforget(['copy', 'agent.db', proxy.through(postgres.url)], { cwd })
  expect(copied).toMatchObject({ stderr: '', code: 0 })
  expect(armed.fired).toHaveLength(1)
})

test('a memory goes into a schema of PostgreSQL that the URL names, which no other command makes', async () => {
  const { cwd } = await richStore()
  const postgres = await postgresServer()
  onTestFinished(() => postgres.stop())
  const url = `${postgres.url}?schema=moved_here`
  for (const command of [
    ['sweep', url],
    ['sessions', url],
    ['snapshot', url, 'rich'],
  ]) {
    const refused = await unforget(command, { cwd })
    expect(refused).toMatchObject({ stdout: '', code: 2 })
    expect(refused.stderr).toContain('no memory')
  }
  expect(await unforget(['copy', 'agent.db', url], { cwd })).toMatchObject({ stderr: '', code: 0 })
  const [here, there] = await Promise.all(
    ['agent.db', url].map((store) => unforget(['history', store, 'rich'], { cwd })),
  )
  expect(there).toEqual(here)
  expect((await unforget(['sweep', url], { cwd })).code).toBe(0)
})

test('sessions of an older file, whose entries get a checksum on the way, say the same in the other store', async () => {
  const cwd = await temporaryFolder()
  await copyFile(new URL('../backends/sqlite/golden/schema-1.db', import.meta.url), join(cwd, 'old.db'))
  await (await openMemory(`sqlite:${join(cwd, 'old.db')}`)).close()
  expect(await unforget(['copy', 'old.db', 'copied.db'], { cwd })).toMatchObject({ stderr: '', code: 0 })
  await unforget(['export', 'old.db', '-o', 'old.jsonl'], { cwd })
  const imported = await unforget(['import', 'imported.db', 'old.jsonl', '--json'], { cwd })
  const { sessions, present } = JSON.parse(imported.stdout)
  expect(sessions).toBeGreaterThan(0)
  expect(present).toBe(0)
  const again = await unforget(['import', 'imported.db', 'old.jsonl', '--json'], { cwd })
  expect(again).toMatchObject({ stderr: '', code: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({ sessions: 0, present: sessions })
})
