import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { expect, test } from 'vitest'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { plantedStore } from './support/planted-store.ts'
import { richStore } from './support/rich-store.ts'
import { hasTerminal, shell, start, startOnTerminal, unforget } from './support/run-cli.ts'

test('export, import and export again give the same, byte by byte', async () => {
  const { cwd, file } = await richStore()
  const first = await unforget(['export', 'agent.db'], { cwd })
  expect({ stderr: first.stderr, code: first.code }).toEqual({ stderr: '', code: 0 })
  await writeFile(join(cwd, 'first.jsonl'), first.stdout)
  expect(await unforget(['import', 'copy.db', 'first.jsonl'], { cwd })).toEqual({
    stdout: 'imported 4 sessions, 13 entries\n',
    stderr: '',
    code: 0,
  })
  expect(await unforget(['export', 'copy.db'], { cwd })).toEqual(first)
  await using from = await openMemory(`sqlite:${file}`, { readOnly: true })
  await using to = await openMemory(`sqlite:${join(cwd, 'copy.db')}`, { readOnly: true })
  expect(await to.listSessions()).toEqual(await from.listSessions())
  expect(await to.listSnapshots('rich')).toEqual(await from.listSnapshots('rich'))
  for (const at of [undefined, 'p\0']) {
    expect(await to.getEntries('rich', { at })).toEqual(await from.getEntries('rich', { at }))
  }
  expect((await to.verify()).ok).toBe(true)
})

test('through a pipe, into a file, and some sessions only', async () => {
  const { cwd } = await richStore()
  const piped = await shell('unforget export agent.db | unforget import piped.db - --json', { cwd })
  expect(JSON.parse(piped.stdout)).toEqual({ sessions: 4, replaced: 0, present: 0, entries: 13, refused: [] })
  expect(await unforget(['export', 'piped.db', '-o', 'all.jsonl'], { cwd })).toEqual({
    stdout: 'exported 4 sessions, 13 entries\n',
    stderr: '',
    code: 0,
  })
  const { stdout } = await unforget(['export', 'agent.db'], { cwd })
  expect(await readFile(join(cwd, 'all.jsonl'), 'utf8')).toBe(stdout)
  const json = await unforget(['export', 'agent.db', 'user-42', '-o', 'one.jsonl', '--json'], { cwd })
  expect(JSON.parse(json.stdout)).toEqual({ file: 'one.jsonl', sessions: 1, entries: 6, damaged: [] })
  const one = await readFile(join(cwd, 'one.jsonl'), 'utf8')
  expect(one.split('\n').map((line) => line && JSON.parse(line).type)).toEqual([
    'session',
    'epoch',
    'snapshot',
    'snapshot',
    ...Array.from({ length: 6 }, () => 'entry'),
    'end',
    '',
  ])
  expect(await unforget(['export', 'agent.db', 'user-42', 'nobody'], { cwd })).toMatchObject({ stdout: '', code: 2 })
  expect((await readdir(cwd)).sort()).toEqual(['agent.db', 'all.jsonl', 'one.jsonl', 'piped.db'])
})

test('an export never takes the place of its store', async () => {
  const { cwd } = await plantedStore()
  const before = await lookAtFolder(cwd)
  expect(await unforget(['export', 'agent.db', '-o', './agent.db'], { cwd })).toMatchObject({ code: 2 })
  expect(await lookAtFolder(cwd)).toEqual(before)
})

test('what is damaged is named and left out of an export', async () => {
  const { cwd, file } = await plantedStore()
  const raw = new Database(file)
  raw.exec("DELETE FROM entries WHERE session = (SELECT session FROM sessions WHERE id = 'user-42') AND seq = 2")
  raw.close()
  const { stdout, stderr, code } = await unforget(['export', 'agent.db'], { cwd })
  expect({ stderr, code }).toEqual({
    stderr: 'unforget: memory of session "user-42" is lost: entries 2 are missing\n',
    code: 1,
  })
  expect(stdout).toMatch(/\{"type":"end","sessions":2\}\n$/)
})

test('a session that is there and the same is counted, one that says something else is named and left as it is', async () => {
  const { cwd } = await richStore()
  await unforget(['export', 'agent.db', '-o', 'all.jsonl'], { cwd })
  await unforget(['export', 'agent.db', 'user-42', '-o', 'one.jsonl'], { cwd })
  await unforget(['import', 'other.db', 'one.jsonl'], { cwd })
  {
    await using other = await openMemory(`sqlite:${join(cwd, 'other.db')}`)
    await other.addMessages('rich', [{ role: 'user', content: 'mine' }])
  }
  const mine = await unforget(['export', 'other.db', 'rich'], { cwd })
  const imported = await unforget(['import', 'other.db', 'all.jsonl'], { cwd })
  expect(imported).toEqual({
    stdout: 'imported 2 sessions, 2 entries, 1 already present\n',
    stderr: expect.stringMatching(
      /^unforget: all\.jsonl: session "rich" at line \d+ differs in the store \(\w{32} in the file, \w{32} in the store\) and was left unchanged; pass --replace to overwrite it from the file\n$/,
    ),
    code: 1,
  })
  expect(await unforget(['export', 'other.db', 'rich'], { cwd })).toEqual(mine)
  const again = await unforget(['import', 'other.db', 'all.jsonl', '--json'], { cwd })
  expect(again.code).toBe(1)
  expect(JSON.parse(again.stdout)).toEqual({
    sessions: 0,
    replaced: 0,
    present: 3,
    entries: 0,
    refused: [{ line: expect.any(Number), session: 'rich', reason: expect.stringContaining('differs in the store') }],
  })
  expect(await unforget(['import', 'other.db', 'all.jsonl', '--replace'], { cwd })).toEqual({
    stdout: 'imported 1 session, 5 entries, 1 replaced, 3 already present\n',
    stderr: '',
    code: 0,
  })
  const [here, there] = await Promise.all(['agent.db', 'other.db'].map((store) => unforget(['export', store], { cwd })))
  expect(there).toEqual(here)
})

test('a session that is damaged in the store is named, and --replace brings it back', async () => {
  const { cwd } = await plantedStore()
  await unforget(['export', 'agent.db', '-o', 'all.jsonl'], { cwd })
  await unforget(['import', 'other.db', 'all.jsonl'], { cwd })
  const raw = new Database(join(cwd, 'other.db'))
  raw.exec("DELETE FROM entries WHERE session = (SELECT session FROM sessions WHERE id = 'user-42') AND seq = 2")
  raw.close()
  const refused = await unforget(['import', 'other.db', 'all.jsonl'], { cwd })
  expect(refused).toMatchObject({ stdout: 'imported 0 sessions, 0 entries, 2 already present\n', code: 1 })
  expect(refused.stderr).toContain(
    'is damaged in the store (entries 2 are missing) and was left unchanged; pass --replace',
  )
  expect((await unforget(['import', 'other.db', 'all.jsonl', '--replace'], { cwd })).code).toBe(0)
  const [here, there] = await Promise.all(['agent.db', 'other.db'].map((store) => unforget(['export', store], { cwd })))
  expect(there).toEqual(here)
})

test('a session that comes twice is imported once, and told', async () => {
  const { cwd } = await plantedStore()
  const ended = await shell('unforget export agent.db user-42 > a; cat a a | unforget import new.db -', { cwd })
  expect(ended).toEqual({
    stdout: 'imported 1 session, 6 entries\n',
    stderr: 'unforget: stdin: line 12 is damaged: its session appears twice; session "user-42" was not imported\n',
    code: 1,
  })
})

test('exports one behind the other are one import', async () => {
  const { cwd } = await plantedStore()
  const ended = await shell(
    '(unforget export agent.db user-42; unforget export agent.db "会话 🐟") | unforget import new.db -',
    { cwd },
  )
  expect(ended).toEqual({ stdout: 'imported 2 sessions, 7 entries\n', stderr: '', code: 0 })
})

test('a file that is not there, and Ctrl-C while stdin is read', async () => {
  const { cwd } = await plantedStore()
  const before = await lookAtFolder(cwd)
  expect(await unforget(['import', 'new.db', 'none.jsonl'], { cwd })).toMatchObject({
    stderr: 'unforget: none.jsonl: there is no such file\n',
    code: 2,
  })
  const running = start(['import', 'agent.db', '-'], { cwd })
  await new Promise((resolve) => running.child.stdin.write('x'.repeat(1_000_000), resolve))
  running.child.kill('SIGINT')
  expect(await running.ended).toEqual({ stdout: '', stderr: '', code: 130 })
  expect(await lookAtFolder(cwd)).toEqual(before)
})

test.skipIf(!hasTerminal)(
  'Ctrl-C in the middle of an import says how far it came, and it goes on from there',
  async () => {
    const cwd = await temporaryFolder()
    {
      await using memory = await openMemory(`sqlite:${join(cwd, 'many.db')}`)
      await Promise.all(
        Array.from({ length: 3000 }, (_, index) =>
          memory.addMessages(`session ${index}`, [{ role: 'user', content: 'x'.repeat(500) }]),
        ),
      )
    }
    await unforget(['export', 'many.db', '-o', 'many.jsonl'], { cwd })
    await using target = await openMemory(`sqlite:${join(cwd, 'new.db')}`)
    await target.addMessages('mine', [{ role: 'user', content: 'kept' }])
    const running = startOnTerminal(['import', 'new.db', 'many.jsonl'], { cwd })
    await running.says(/importing .* [1-9]\d\d sessions/)
    running.child.stdin.write('\x03')
    const { stdout, code } = await running.ended
    expect(code).toBe(130)
    const [, kept] =
      /unforget: interrupted; imported ([\d,]+) sessions, .*; run the same import again/.exec(stdout) ?? []
    expect(await target.verify()).toMatchObject({ ok: true })
    const present = Number(kept?.replace(',', ''))
    const again = await unforget(['import', 'new.db', 'many.jsonl', '--json'], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ sessions: 3000 - present, present, refused: [] })
    expect(await target.getHistory('mine')).toEqual([{ role: 'user', content: 'kept' }])
  },
)
