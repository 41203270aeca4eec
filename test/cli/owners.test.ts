import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { plantedStore } from './support/planted-store.ts'
import { unforget, unforgetAsNobody } from './support/run-cli.ts'

const said = [{ role: 'user' as const, content: 'hello' }]

async function ownedStore() {
  const planted = await plantedStore({ withHostile: false })
  await using memory = await openMemory(`sqlite:${planted.file}`)
  await memory.describe('user-42', { owner: 'wang', title: 'A refund' })
  for (const id of ['a', 'b', 'c']) {
    await memory.addMessages(id, said, { owner: 'ann', title: `Chat ${id}`, metadata: { model: 'm' } })
    while ((await memory.sessionInfo(id))?.updatedAt === Date.now());
  }
  return planted
}

test('sessions of an owner, the last written first, and only some', async () => {
  const { cwd } = await ownedStore()
  const { stdout, code } = await unforget(['sessions', 'agent.db', '--owner', 'ann', '--limit', '2'], { cwd })
  expect(code).toBe(0)
  expect(
    stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, '<time>           '),
  ).toBe(`session  title   entries  last written       expires
c        Chat c        1  <time>             never
b        Chat b        1  <time>             never
there are more; raise --limit to see them
`)
  const all = await unforget(['sessions', 'agent.db'], { cwd })
  expect(all.stdout).toMatch(/^session +owner +title +entries/)
  const json = JSON.parse((await unforget(['sessions', 'agent.db', '--owner', 'ann', '--json'], { cwd })).stdout)
  expect(json.sessions.map(({ id }: { id: string }) => id)).toEqual(['c', 'b', 'a'])
  expect(json).toMatchObject({
    more: false,
    damaged: [],
    sessions: [{ owner: 'ann', metadata: { model: 'm' } }, {}, {}],
  })
  expect(await unforget(['sessions', 'agent.db', '--limit', '0'], { cwd })).toMatchObject({ code: 2 })
  expect((await unforget(['sessions', 'agent.db', '--owner', 'nobody'], { cwd })).stdout).toBe('no sessions\n')
})

test('describe sets what is given and removes what is not wanted', async () => {
  const { cwd } = await ownedStore()
  const set = await unforget(['describe', 'agent.db', 'a', '--title', 'New', '--metadata', '{"z":1,"a":2}'], { cwd })
  expect(set).toEqual({ stdout: 'owner     ann\ntitle     New\nmetadata  {"z":1,"a":2}\n', stderr: '', code: 0 })
  const removed = await unforget(['describe', 'agent.db', 'a', '--no-owner', '--no-metadata', '--json'], { cwd })
  expect(JSON.parse(removed.stdout)).toMatchObject({ session: 'a', owner: null, title: 'New', metadata: null })
  for (const args of [['a'], ['a', '--metadata', '[]'], ['nobody', '--title', 'x'], ['a', '--owner', '']]) {
    expect(await unforget(['describe', 'agent.db', ...args], { cwd })).toMatchObject({ stdout: '', code: 2 })
  }
})

test('fork copies a session or one of its snapshots, with owner and title', async () => {
  const { cwd, file } = await ownedStore()
  expect(await unforget(['fork', 'agent.db', 'user-42', 'again'], { cwd })).toEqual({
    stdout: 'copied 6 entries into again\n',
    stderr: '',
    code: 0,
  })
  const json = await unforget(['fork', 'agent.db', 'user-42', 'then', '--at', 'bef', '--json'], { cwd })
  expect(JSON.parse(json.stdout)).toMatchObject({ session: 'user-42', target: 'then', snapshot: 'before', entries: 4 })
  const part = await unforget(['fork', 'agent.db', 'user-42', 'part', '--to', '2'], { cwd })
  expect(part).toEqual({ stdout: 'copied 2 entries into part\n', stderr: '', code: 0 })
  for (const to of ['0', '2.5', '99']) {
    const refused = await unforget(['fork', 'agent.db', 'user-42', 'new', '--to', to], { cwd })
    expect(refused).toMatchObject({ stdout: '', code: 2 })
  }
  await using memory = await openMemory(`sqlite:${file}`, { readOnly: true })
  expect((await memory.getEntries('part')).map(({ seq }) => seq)).toEqual([1, 2])
  expect(await memory.sessionInfo('new')).toBeNull()
  expect(await memory.sessionInfo('then')).toMatchObject({ owner: 'wang', title: 'A refund', entries: 4 })
  for (const [session, target] of [
    ['user-42', 'again'],
    ['nobody', 'new'],
  ] as const) {
    expect(await unforget(['fork', 'agent.db', session, target], { cwd })).toMatchObject({ stdout: '', code: 2 })
  }
})

test('expire sets a time to live, a moment, or never, and asks before it expires a session at once', async () => {
  const { cwd, file } = await ownedStore()
  const expire = (...args: string[]) => unforget(['expire', 'agent.db', 'a', ...args], { cwd })
  expect((await expire('--at', '2130-01-01T12:00Z')).stdout).toBe('expires 2130-01-01 12:00Z\n')
  expect((await expire('--at', '2130-01-01 12:00Z')).stdout).toBe('expires 2130-01-01 12:00Z\n')
  const elsewhere = await unforget(['expire', 'agent.db', 'a', '--at', '2130-01-01T12:00'], {
    cwd,
    env: { TZ: 'Asia/Shanghai' },
  })
  expect(elsewhere.stdout).toBe('expires 2130-01-01 04:00Z\n')
  expect((await expire('--never')).stdout).toBe('never expires\n')
  const { expiresAt } = JSON.parse((await expire('--ttl', '30d', '--json')).stdout)
  expect(Math.abs(expiresAt - Date.now() - 30 * 86_400_000)).toBeLessThan(3_600_000)
  for (const args of [
    [],
    ['--never', '--ttl', '1d'],
    ['--ttl', '30'],
    ['--at', 'tomorrow'],
    ['--at', '2030-02-31'],
    ['--at', '2030-01-01 (noon)'],
  ]) {
    expect(await expire(...args)).toMatchObject({ stdout: '', code: 2 })
  }
  const refused = await expire('--at', '2020-01-01')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toBe(
    'unforget: stdin is not a terminal; pass --yes to expire it immediately; nothing was changed\n',
  )
  expect((await expire('--at', '2020-01-01', '--yes')).code).toBe(0)
  await using memory = await openMemory(`sqlite:${file}`, { readOnly: true })
  expect(await memory.sessionInfo('a')).toBe(null)
})

test('delete erases the named sessions, or all of an owner, and asks first', async () => {
  const { cwd, file } = await ownedStore()
  const refused = await unforget(['delete', 'agent.db', 'a'], { cwd })
  expect(refused.stderr).toBe('unforget: stdin is not a terminal; pass --yes to delete; nothing was changed\n')
  expect(refused.stdout).toMatch(/^session {2}a, 1 entry, last written /)
  for (const args of [[], ['a', '--owner', 'ann', '--yes'], ['nobody', '--yes']]) {
    expect(await unforget(['delete', 'agent.db', ...args], { cwd })).toMatchObject({ stdout: '', code: 2 })
  }
  expect((await unforget(['delete', 'agent.db', 'a', '--yes'], { cwd })).stdout).toMatch(/deleted 1 session\n$/)
  const owned = await unforget(['delete', 'agent.db', '--owner', 'ann', '--yes'], { cwd })
  expect(owned.stdout).toBe('owner  ann, 2 sessions\ndeleted 2 sessions\n')
  const again = await unforget(['delete', 'agent.db', '--owner', 'ann', '--yes', '--json'], { cwd })
  expect(JSON.parse(again.stdout)).toEqual({ deleted: 0 })
  await using memory = await openMemory(`sqlite:${file}`, { readOnly: true })
  expect((await memory.listSessions()).sessions.map(({ id }) => id)).toEqual(['user-42', '会话 🐟'])
})

test('export of an owner has all of that owner and nothing else, and an import brings owners, titles and metadata back', async () => {
  const { cwd } = await ownedStore()
  const { stdout } = await unforget(['export', 'agent.db', '--owner', 'ann', '-o', 'ann.jsonl'], { cwd })
  expect(stdout).toBe('exported 3 sessions, 3 entries\n')
  expect(await unforget(['export', 'agent.db', 'a', '--owner', 'ann'], { cwd })).toMatchObject({ stdout: '', code: 2 })
  expect((await unforget(['import', 'new.db', 'ann.jsonl'], { cwd })).stdout).toBe('imported 3 sessions, 3 entries\n')
  const again = await unforget(['export', 'new.db', '--owner', 'ann'], { cwd })
  expect(again.stdout.split('\n').sort()).toEqual((await readFile(join(cwd, 'ann.jsonl'), 'utf8')).split('\n').sort())
  const copied = await unforget(['copy', 'new.db', 'other.db'], { cwd })
  expect(copied.stdout).toContain('both stores match\n')
  await unforget(['describe', 'other.db', 'b', '--title', 'changed'], { cwd })
  expect((await unforget(['copy', 'new.db', 'other.db'], { cwd })).stderr).toContain('session "b" differs')
})

test('a command that changes nothing makes no memory of an empty file', async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'empty.db'), '')
  for (const args of [
    ['snapshot', 'empty.db', 's'],
    ['rollback', 'empty.db', 's', 'p', '--yes'],
    ['sweep', 'empty.db'],
    ['fork', 'empty.db', 's', 't'],
    ['describe', 'empty.db', 's', '--title', 'x'],
    ['expire', 'empty.db', 's', '--never'],
    ['delete', 'empty.db', 's', '--yes'],
    ['delete', 'empty.db', '--owner', 'ann', '--yes'],
  ]) {
    const { stdout, stderr, code } = await unforget(args, { cwd })
    expect({ stdout, stderr, code }, args.join(' ')).toEqual({
      stdout: '',
      stderr: 'unforget: empty.db is empty (nothing was written)\n',
      code: 2,
    })
  }
  expect(await readFile(join(cwd, 'empty.db'), 'utf8')).toBe('')
  expect(await readdir(cwd)).toEqual(['empty.db'])
})

test('files and folders that cannot be used are named, with what is wrong', async () => {
  const { cwd } = await ownedStore()
  await mkdir(join(cwd, 'folder'))
  await chmod(cwd, 0o777)
  await chmod(join(cwd, 'agent.db'), 0o666)
  const sentence = async (...args: string[]) => {
    const { stdout, stderr, code } = await unforgetAsNobody(args, { cwd })
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    return stderr
  }
  for (const command of ['sessions', 'sweep']) {
    expect(await sentence(command, 'folder')).toMatch(
      'unforget: folder is a folder; name a file in it (nothing was written)',
    )
  }
  expect(await sentence('export', 'agent.db', '-o', 'missing/x.jsonl')).toBe(
    'unforget: there is no folder missing; nothing was written\n',
  )
  expect(await sentence('export', 'agent.db', '-o', 'folder')).toBe(
    'unforget: folder is a folder; nothing was written\n',
  )
  await chmod(cwd, 0o555)
  expect(await sentence('sweep', 'agent.db')).toContain(
    'the folder . cannot be written, and SQLite keeps the log of agent.db there',
  )
  expect(await sentence('export', 'agent.db', '-o', 'x.jsonl')).toBe(
    'unforget: the folder . cannot be written; nothing was written\n',
  )
  await chmod(cwd, 0o777)
  await chmod(join(cwd, 'agent.db'), 0o000)
  expect(await sentence('sessions', 'agent.db')).toContain('agent.db cannot be read: permission denied')
  await chmod(join(cwd, 'agent.db'), 0o600)
})
