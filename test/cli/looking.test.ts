import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { hostile, plantedStore } from './support/planted-store.ts'
import { unforget } from './support/run-cli.ts'

/** As a person reads it: the first line of a template is where it begins. */
const page = (text: string) => `${text.replace(/^\n/, '').trimEnd()}\n`
const done = (stdout: string) => ({ stdout: page(stdout), stderr: '', code: 0 })

test('sessions', async () => {
  const { cwd } = await plantedStore()
  expect(await unforget(['sessions', 'agent.db'], { cwd })).toEqual(
    done(`
session                            entries  last written       expires
evil \\x1b[2J\\x1b]0;owned\\x07\\u{2…        1  2026-01-02 10:01Z  never
user-42                                  6  2026-01-02 10:06Z  never
会话 🐟                                  1  2026-01-02 10:01Z  2126-01-02 00:00Z
`),
  )
})

test('history', async () => {
  const { cwd } = await plantedStore()
  expect(await unforget(['history', 'agent.db', 'user-42'], { cwd })).toEqual(
    done(`
#1 user  2026-01-02 10:01Z
  My name is Wang, and I would like my money back for the last order, please.

#2 assistant  2026-01-02 10:02Z
  Let me look.
  calls find_order({"user":42})

#3 tool (answers c1)  2026-01-02 10:03Z
  {"order":7}

#5 assistant  2026-01-02 10:05Z
  Refunded.
`),
  )
})

test('history of everything, the newest, and at a snapshot', async () => {
  const { cwd } = await plantedStore()
  const all = await unforget(['history', 'agent.db', 'user-42', '--all', '--last', '3'], { cwd })
  expect(all).toEqual(
    done(`
#4 tool call  2026-01-02 10:04Z
  find_order({"user":42}) = {"order":7}

#5 assistant  2026-01-02 10:05Z
  Refunded.

#6 summary  2026-01-02 10:06Z
  Wang got a refund
`),
  )
  const last = await unforget(['history', 'sqlite:agent.db', 'user-42', '--at', 'bef', '--last', '1'], { cwd })
  expect(last).toEqual(done('#3 tool (answers c1)  2026-01-02 10:03Z\n  {"order":7}'))
  expect(await unforget(['history', 'agent.db', 'user-42', '--last', '0'], { cwd })).toEqual(done('no turns'))
})

test('text of many scripts is wrapped by what is seen', async () => {
  const { cwd } = await plantedStore()
  expect(await unforget(['history', 'agent.db', '会话 🐟'], { cwd })).toEqual(
    done(`
#1 user  2026-01-02 10:01Z
  我叫王小明，住在北京。👨‍👩‍👧‍👦 はじめまして、よろしくお願いします。 cafe\u0301 हिन्दी 한국어
  🇺🇳 ❤️
`),
  )
})

test('hostile text is shown and does nothing', async () => {
  const { cwd } = await plantedStore()
  const { sessions } = JSON.parse((await unforget(['sessions', 'agent.db', '--json'], { cwd })).stdout)
  expect(sessions[0].id).toBe(`evil ${hostile}`)
  const exported = await unforget(['export', 'agent.db'], { cwd })
  const listed = await unforget(['sessions', 'agent.db', '--json'], { cwd })
  const verified = await unforget(['verify', 'agent.db'], { cwd })
  for (const { stdout } of [exported, listed, verified]) expect(stdout).not.toMatch(/[^\P{C}\n\u200d]/u)
  const nobody = await unforget(['history', 'agent.db', '\x1b[2J\u202e'], { cwd })
  expect(nobody).toEqual({
    stdout: '',
    stderr: 'unforget: there is no session "\\u001b[2J\\u{202e}"; nothing was changed\n',
    code: 2,
  })
})

test('snapshots', async () => {
  const { cwd } = await plantedStore()
  expect(await unforget(['snapshots', 'agent.db', 'user-42'], { cwd })).toEqual(
    done(`
snapshot  entries  saved              label
before          4  2026-01-02 10:04Z  before the refund
after           6  2026-01-02 10:06Z
`),
  )
  expect(await unforget(['snapshots', 'agent.db', '会话 🐟'], { cwd })).toEqual(done('no snapshots'))
})

test('stats', async () => {
  const { cwd, file } = await plantedStore()
  const { size } = await stat(file)
  expect(await unforget(['stats', 'agent.db'], { cwd })).toEqual(
    done(`
sessions            3
snapshots           2
entries             8 (870 bytes)
file                ${(size / 1000).toFixed(1)} KB
a sweep would free  0 entries (0 bytes)
`),
  )
  expect(JSON.parse((await unforget(['stats', 'agent.db', '--json'], { cwd })).stdout)).toEqual({
    sessions: 3,
    snapshots: 2,
    entries: 8,
    bytes: 870,
    fileBytes: size,
    sweepable: { entries: 0, bytes: 0 },
    damaged: [],
  })
})

test('verify finds all intact', async () => {
  const { cwd } = await plantedStore()
  expect(await unforget(['verify', 'agent.db'], { cwd })).toEqual(done('3 sessions, 8 entries: all intact'))
  expect(await unforget(['verify', 'agent.db', 'user-42'], { cwd })).toEqual(done('1 session, 6 entries: all intact'))
  expect(JSON.parse((await unforget(['verify', 'agent.db', '--json'], { cwd })).stdout)).toEqual({
    ok: true,
    sessions: 3,
    entries: 8,
    damage: [],
  })
})

test('verify lists damage and exits with 1, as whatever meets it does', async () => {
  const { cwd, file } = await plantedStore()
  const raw = new Database(file)
  raw.exec("DELETE FROM entries WHERE seq = 2; UPDATE entries SET body = '{' WHERE seq = 5")
  raw.close()
  expect(await unforget(['verify', 'agent.db'], { cwd })).toEqual({
    stdout: page(`
session  entries  problem
user-42  2        entries 2 are missing
user-42  5        entry 5 cannot be read: its checksum does not match
3 sessions, 8 entries: 2 damaged places
`),
    stderr: '',
    code: 1,
  })
  expect(await unforget(['history', 'agent.db', 'user-42'], { cwd })).toEqual({
    stdout: '',
    stderr: 'unforget: memory of session "user-42" is lost: entries 5 cannot be read: its checksum does not match\n',
    code: 1,
  })
  const json = await unforget(['verify', 'agent.db', '--json'], { cwd })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout).damage).toEqual([
    { session: 'user-42', seqs: [2], reason: 'entries 2 are missing' },
    { session: 'user-42', seqs: [5], reason: 'entry 5 cannot be read: its checksum does not match' },
  ])
})

test('the JSON of sessions, history and snapshots', async () => {
  const { cwd } = await plantedStore()
  const json = async (...args: string[]) => JSON.parse((await unforget([...args, '--json'], { cwd })).stdout)
  expect((await json('sessions', 'agent.db')).sessions[1]).toEqual({
    id: 'user-42',
    version: 'birth.6.nonce',
    epoch: 'birth.1.path',
    entries: 6,
    createdAt: Date.UTC(2026, 0, 2, 10),
    updatedAt: Date.UTC(2026, 0, 2, 10, 6),
    ttl: null,
    expiresAt: null,
    owner: null,
    title: null,
    metadata: null,
  })
  expect(await json('history', 'agent.db', 'user-42', '--all', '--last', '2')).toEqual({
    session: 'user-42',
    snapshot: null,
    version: 'birth.6.nonce',
    epoch: 'birth.1.path',
    entries: [
      {
        kind: 'message',
        seq: 5,
        at: Date.UTC(2026, 0, 2, 10, 5),
        message: { role: 'assistant', content: 'Refunded.' },
      },
      {
        kind: 'summary',
        seq: 6,
        at: Date.UTC(2026, 0, 2, 10, 6),
        standsIn: false,
        summary: { text: 'Wang got a refund', embedding: [0.5, 0.25] },
      },
    ],
  })
  expect(await json('snapshots', 'agent.db', 'user-42')).toEqual({
    session: 'user-42',
    snapshots: [
      { id: 'before', label: 'before the refund', automatic: false, at: Date.UTC(2026, 0, 2, 10, 4), entries: 4 },
      { id: 'after', label: null, automatic: false, at: Date.UTC(2026, 0, 2, 10, 6), entries: 6 },
    ],
  })
})

test('commands that read leave the file and its folder as they are', async () => {
  const { cwd } = await plantedStore()
  const before = await lookAtFolder(cwd)
  for (const args of [
    ['sessions', 'agent.db'],
    ['history', 'agent.db', 'user-42'],
    ['snapshots', 'agent.db', 'user-42'],
    ['stats', 'agent.db'],
    ['verify', 'agent.db'],
    ['export', 'agent.db'],
    ['history', 'agent.db', 'nobody'],
  ]) {
    await unforget(args, { cwd })
    expect(await lookAtFolder(cwd), args[0]).toEqual(before)
  }
})

test('a file that is missing is named and not created, by any command but import', async () => {
  const cwd = await temporaryFolder()
  for (const args of [
    ['sessions', 'none.db'],
    ['history', 'none.db', 's'],
    ['snapshots', 'none.db', 's'],
    ['snapshot', 'none.db', 's'],
    ['rollback', 'none.db', 's', 'p', '--yes'],
    ['verify', 'none.db'],
    ['sweep', 'sqlite:none.db'],
    ['fork', 'none.db', 's', 't'],
    ['describe', 'none.db', 's', '--title', 'x'],
    ['expire', 'none.db', 's', '--never'],
    ['delete', 'none.db', 's', '--yes'],
    ['stats', 'none.db'],
    ['export', 'none.db'],
    ['export', 'none.db', '-o', 'backup.jsonl'],
  ]) {
    const { stdout, stderr, code } = await unforget(args, { cwd })
    expect({ stdout, code }, args[0]).toEqual({ stdout: '', code: 2 })
    expect(stderr).toMatch(/^unforget: there is no file none\.db.*\n$/)
  }
  expect(await readdir(cwd)).toEqual([])
})

test('what is no memory is refused in one sentence', async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'notes.txt'), 'Dear diary. '.repeat(500))
  for (const [store, sentence] of [
    ['notes.txt', /not a SQLite database/],
    ['memory:', /would be a new memory/],
    ['mysql://localhost', /none of/],
    ['redis://127.0.0.1:1', /cannot be opened/],
    ['postgres://127.0.0.1:1/agents', /cannot be opened|no connection/i],
    ['sqlite:', /names no file/],
    ['.', /is a folder; name a file in it/],
    ['notes.txt/agent.db', /there is no file/],
  ] as const) {
    const { stdout, stderr, code } = await unforget(['sessions', store], { cwd })
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toMatch(sentence)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  }
  expect(await readdir(cwd)).toEqual(['notes.txt'])
})
