import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantedStore } from './support/planted-store.ts'
import { unforget } from './support/run-cli.ts'

const lines = (text: string) => text.trimEnd().split('\n')
const joined = (all: readonly string[]) => `${all.join('\n')}\n`
const changed = (all: string[], number: number, change: (line: string) => string) =>
  joined(all.map((line, index) => (index === number - 1 ? change(line) : line)))

test.each<[string, (all: string[]) => string, RegExp]>([
  ['a line cut short', (all) => changed(all, 7, (line) => line.slice(0, -9)), /line 7 is damaged: it is not JSON/],
  ['a line of nothing', (all) => changed(all, 3, () => ''), /line 3 is damaged: it is not JSON/],
  ['a number', (all) => changed(all, 3, () => '7'), /line 3 is damaged: it is not an object/],
  ['bad UTF-8', (all) => changed(all, 5, (line) => line.replace('Wang', 'W\udc80ng')), /line 5 is damaged/],
  [
    'a body cut short',
    (all) => changed(all, 8, (line) => line.replace('"body":"[{', '"body":"[')),
    /line 8 is damaged: .*its checksum does not match/,
  ],
  [
    'a wrong type',
    (all) => changed(all, 6, (line) => line.replace('"at":', '"at":"x","then":')),
    /line 6 is damaged: /,
  ],
  ['a field too many', (all) => changed(all, 1, (line) => line.replace('{', '{"x":1,')), /line 1 is damaged: .*"x"/],
  [
    'a format of the future',
    (all) => changed(all, 1, (line) => line.replace('"format":2', '"format":3')),
    /line 1 .*form/,
  ],
  [
    'bytes that are none',
    (all) => changed(all, 10, (line) => line.replace('"bytes":"', '"bytes":"*')),
    /line 10 .*base64/,
  ],
  ['an entry missing', (all) => joined(all.toSpliced(6, 1)), /line 10 is damaged: expected a line of type "entry"/],
  ['a snapshot missing', (all) => joined(all.toSpliced(2, 1)), /line 4 is damaged: expected a line of type "snapshot"/],
  ['an entry twice', (all) => joined(all.toSpliced(6, 1, all[5] ?? '')), /line 7 is damaged: .*twice/],
  ['half of it missing', (all) => joined(all.slice(0, 5)), /line 6 is missing: the export was cut short/],
  ['a session missing', (all) => joined(all.slice(-1)), /line 1 is damaged: it counts 1 sessions, not 0/],
  ['nothing at all', () => '', /line 1 is missing: the export was cut short/],
  ['something else', () => 'Dear diary\n', /line 1 is damaged: it is not JSON/],
])('an import of %s names the line and imports nothing', async (_name, damage, sentence) => {
  const { cwd } = await plantedStore()
  const { stdout } = await unforget(['export', 'agent.db', 'user-42'], { cwd })
  const text = damage(lines(stdout))
  await writeFile(join(cwd, 'bad.jsonl'), Buffer.from(text, text.includes('\udc80') ? 'latin1' : 'utf8'))
  const ended = await unforget(['import', 'new.db', 'bad.jsonl'], { cwd })
  expect({ stdout: ended.stdout, code: ended.code }).toEqual({ stdout: '', code: 2 })
  expect(ended.stderr).toMatch(/^(unforget: bad\.jsonl: .*\n)+unforget: nothing was imported\n$/)
  expect(ended.stderr).toMatch(sentence)
  expect((await readdir(cwd)).sort()).toEqual(['agent.db', 'bad.jsonl'])
})

const damagedIn = 'session "user-42" was not imported'

test.each<[string, (all: string[]) => string, string[]]>([
  [
    'a damaged line',
    (all) => changed(all, 7, (line) => line.slice(1)),
    [`line 7 is damaged: it is not JSON; ${damagedIn}`],
  ],
  ['a damaged first line', (all) => changed(all, 1, (line) => line.slice(1)), ['line 1 is damaged: it is not JSON']],
  [
    'an entry missing',
    (all) => joined(all.toSpliced(9, 1)),
    [`line 10 is damaged: expected a line of type "entry"; ${damagedIn}`],
  ],
  [
    'a line too many',
    (all) => joined(all.toSpliced(7, 0, '{"type":"end","sessions":1}')),
    [`line 8 is damaged: expected a line of type "entry"; ${damagedIn}`, 'line 8 is damaged: '],
  ],
])('an export with %s is imported but for that session', async (_name, damage, sentences) => {
  const { cwd } = await plantedStore({ withHostile: false })
  const { stdout } = await unforget(['export', 'agent.db', 'user-42', '会话 🐟'], { cwd })
  await writeFile(join(cwd, 'bad.jsonl'), damage(lines(stdout)))
  const ended = await unforget(['import', 'new.db', 'bad.jsonl'], { cwd })
  expect({ stdout: ended.stdout, code: ended.code }).toEqual({ stdout: 'imported 1 session, 1 entry\n', code: 1 })
  for (const sentence of sentences) expect(ended.stderr).toContain(`unforget: bad.jsonl: ${sentence}`)
  const [here, there] = await Promise.all(
    ['agent.db', 'new.db'].map((store) => unforget(['export', store, '会话 🐟'], { cwd })),
  )
  expect(there).toEqual(here)
  expect(await unforget(['history', 'new.db', 'user-42'], { cwd })).toMatchObject({ stdout: '', code: 2 })
  await writeFile(join(cwd, 'good.jsonl'), stdout)
  expect(await unforget(['import', 'new.db', 'good.jsonl'], { cwd })).toEqual({
    stdout: 'imported 1 session, 6 entries, 1 already present\n',
    stderr: '',
    code: 0,
  })
})

test('a file that was cut short is imported up to the last whole session, wherever it was cut', async () => {
  const { cwd } = await plantedStore({ withHostile: false })
  const { stdout } = await unforget(['export', 'agent.db', '会话 🐟', 'user-42'], { cwd })
  const all = lines(stdout)
  const second = all.findIndex((line) => line.includes('"id":"user-42"'))
  const whole = Buffer.byteLength(joined(all.slice(0, second)))
  const size = Buffer.byteLength(stdout)
  const end = Buffer.byteLength(`${all.at(-1)}\n`)
  for (const [at, sentence] of [
    [whole, /: line \d+ is missing: the export was cut short\n$/],
    [whole + 40, /: line \d+ is damaged: it is not JSON\n.*: line \d+ is missing: the export was cut short\n$/],
    [size - end - 30, /is not JSON; session "user-42" was not imported\n.* is missing: the export was cut short\n$/],
    [size - end - Buffer.byteLength(`${all.at(-2)}\n`), /cut short; session "user-42" was not imported\n$/],
  ] as const) {
    const input = Buffer.from(stdout).subarray(0, at).toString()
    const ended = await unforget(['import', `cut-${at}.db`, '-', '--json'], { cwd, input })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(sentence)
    expect(JSON.parse(ended.stdout)).toMatchObject({ sessions: 1, entries: 1 })
    const [here, there] = await Promise.all(
      [['agent.db', '会话 🐟'], [`cut-${at}.db`]].map((store) => unforget(['export', ...store], { cwd })),
    )
    expect(there).toEqual(here)
  }
})
