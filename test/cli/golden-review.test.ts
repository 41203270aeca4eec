import { chmodSync, existsSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { GoldenProject, insert, projectWithPending } from './golden-project.ts'
import { hasTerminal, shell, startOnTerminal, unforget } from './support/run-cli.ts'

const question = '[q]uit? '
const noColor = { NO_COLOR: '1' }

test('without a terminal review prints the commands, which work, and exits with 1', async () => {
  using project = await projectWithPending('remembers', "it's")
  const { stdout, stderr, code } = await unforget(['golden', 'review'], { cwd: project.cwd })
  const path = project.golden('remembers')
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 })
  expect(stdout).toContain(`stdin is not a terminal. To decide on each:

`)
  expect(stdout).toContain(`${path}
  unforget golden diff ${path} ${path}.new
  unforget golden accept ${path}.new
  unforget golden reject ${path}.new
`)
  const lines = [...stdout.matchAll(/^ {2}(unforget .*)$/gm)].map(([, line = '']) => line)
  const diff = await shell(lines.find((line) => line.includes('diff')) ?? '', { cwd: project.cwd })
  expect(diff.stdout).toContain("text  'My name is Wang' → 'My name is Li 1'")
  for (const line of lines.filter((one) => one.includes('accept'))) {
    expect((await shell(line, { cwd: project.cwd })).code).toBe(0)
  }
  expect(await unforget(['golden', 'review'], { cwd: project.cwd })).toEqual({
    stdout: 'nothing to review\n',
    stderr: '',
    code: 0,
  })
})

test('paths are told from where one is, as words of the shell', async () => {
  using project = await projectWithPending('remembers')
  const inside = join(project.cwd, "it's here")
  renameSync(join(project.cwd, 'test'), inside)
  const name = basename(project.golden('remembers'))
  const command = async (cwd: string) => (await unforget(['golden', 'review'], { cwd })).stdout.split('\n').at(-2)
  expect(await command(join(inside, '__goldens__'))).toBe(`  unforget golden reject memory.test.ts.goldens/${name}.new`)
  const quoted = `'it'\\''s here/__goldens__/memory.test.ts.goldens/${name}.new'`
  expect(await command(project.cwd)).toBe(`  unforget golden reject ${quoted}`)
})

test.skipIf(!hasTerminal)('on a terminal review walks through the changes', async () => {
  using project = await projectWithPending('a', 'b', 'c')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 120)
  const answers = ['x', 'a', 'r', 's']
  for (const [index, answer] of answers.entries()) {
    await running.says(new RegExp(`(?:${question.replaceAll(/[[\]?]/g, '\\$&')}[\\s\\S]*){${index + 1}}`))
    running.child.stdin.write(`${answer}\n`)
  }
  const { stdout, code } = await running.ended
  const shown = stdout.replaceAll('\r', '')
  expect(code).toBe(1)
  expect(shown).toContain(`1 of 3  a
${project.golden('a')}

table notes: 1 row changed
  ~ id=1
      text  'My name is Wang' → 'My name is Li'

[a]ccept, [r]eject, [s]kip, [o]pen in a browser, [q]uit? `)
  expect(shown).toContain('Invalid key: type a, r, s, o or q, then Enter.')
  expect(shown).toContain('1 change accepted, 1 rejected, 1 left')
  expect(project.files.filter((name) => name.endsWith('.new'))).toHaveLength(1)
  expect(project.has(`${project.golden('c')}.new`)).toBe(true)
  const report = (test: string) => readFileSync(join(project.cwd, `${project.golden(test)}.txt`), 'utf8')
  expect([report('a'), report('b')]).toEqual([
    expect.stringContaining('My name is Li'),
    expect.stringContaining('My name is Wang'),
  ])
})

test.skipIf(!hasTerminal)('review says that it cannot apply the functions of a test', async () => {
  using project = await GoldenProject.open()
  const withoutNumbers = { 'notes.text': (value: unknown) => String(value).replace(/\d+/, 'N') }
  await project.run('a', insert('took 7 ms'), 'new', withoutNumbers)
  await project.run('a', insert('took 8 ms, too long'), 'new', withoutNumbers)
  project.end()
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 200)
  await running.says(question)
  running.child.stdin.write('q\n')
  const { stdout } = await running.ended
  expect(stdout.replaceAll('\r', '')).toContain(
    'The test compares notes.text with a function of its own, which only the test can apply: its values are compared as they are here.\n',
  )
})

test.skipIf(!hasTerminal)('the end of the input and q leave the rest; Ctrl-C exits with 130', async () => {
  using project = await projectWithPending('a', 'b')
  for (const [typed, expected] of [
    ['\x04', 1],
    ['q\n', 1],
    ['\x03', 130],
  ] as const) {
    const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor })
    await running.says(question)
    running.child.stdin.write(typed)
    expect((await running.ended).code, JSON.stringify(typed)).toBe(expected)
    expect(project.files).toHaveLength(8)
  }
})

test.skipIf(!hasTerminal)('what changed since it was shown is shown again before it is decided on', async () => {
  using project = await projectWithPending('a')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor })
  await running.says(question)
  await project.run('a', insert('My name is Zhang'))
  running.child.stdin.write('a\n')
  await running.says(/It changed since it was shown:[\s\S]*My name is Zhang[\s\S]*\[q\]uit\? $/)
  expect(project.files).toHaveLength(4)
  running.child.stdin.write('a\n')
  expect((await running.ended).code).toBe(0)
  expect(readFileSync(join(project.cwd, `${project.golden('a')}.txt`), 'utf8')).toContain('My name is Zhang')
})

test.skipIf(!hasTerminal)('a state that is no database can be rejected, not accepted', async () => {
  using project = await projectWithPending('a')
  writeFileSync(join(project.cwd, `${project.golden('a')}.new`), 'spoiled')
  const { stdout } = await unforget(['golden', 'pending'], { cwd: project.cwd })
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is not a SQLite database')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 200)
  await running.says(/is not a SQLite database[\s\S]*\n\[r\]eject, \[s\]kip, \[q\]uit\? $/)
  running.child.stdin.write('a\nr\n')
  expect((await running.ended).code).toBe(0)
  expect(project.files).toHaveLength(2)
})

test.skipIf(!hasTerminal)('what is decided on elsewhere meanwhile is told', async () => {
  using project = await projectWithPending('a')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor })
  await running.says(question)
  await project.run('a', insert('My name is Wang'))
  running.child.stdin.write('a\n')
  const { stdout, code } = await running.ended
  expect(stdout).toContain('It is gone')
  expect(stdout).toContain('0 changes accepted, 0 rejected, 0 left')
  expect(code).toBe(0)
})

test.skipIf(!hasTerminal)('o opens both in a browser, and a browser that is not there is told', async () => {
  using project = await projectWithPending('remembers my name')
  const browser = join(project.cwd, 'browser')
  const opened = join(project.cwd, 'opened')
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`)
  chmodSync(browser, 0o755)
  const isOpened = new Promise<void>((resolve) => {
    const watcher = watch(project.cwd, () => {
      if (!existsSync(opened)) return
      watcher.close()
      resolve()
    })
  })
  const env = { ...noColor, TMPDIR: project.cwd }
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: { ...env, BROWSER: browser } })
  await running.says(question)
  running.child.stdin.write('o\n')
  await isOpened
  const page = readFileSync(fileURLToPath(readFileSync(opened, 'utf8')), 'utf8')
  expect(page).toContain('&#39;My name is Wang&#39;')
  expect(page).toContain('&#39;My name is Li&#39;')
  const body = page.slice(page.indexOf('<body>'))
  expect(body.split('remembers my name')).toHaveLength(2)
  expect(body).not.toContain('remembers-my-name')
  expect(body).toContain('<p class="soft">test/memory.test.ts</p>')
  await running.says(/golden\.html[\s\S]*\[q\]uit\? $/)
  running.child.stdin.write('q\n')
  expect((await running.ended).code).toBe(1)

  const lost = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: { ...env, BROWSER: '/no/browser' } })
  await lost.says(question)
  lost.child.stdin.write('o\nq\n')
  expect((await lost.ended).stdout).toMatch(
    /unforget: \/no\/browser could not be started: open \S+golden\.html yourself/,
  )
})

/** A project in which each test was run before and after one migration. */
async function projectWithMigration(...tests: string[]): Promise<GoldenProject> {
  const project = await GoldenProject.open()
  for (const [index, test] of tests.entries()) {
    const rows = Array.from({ length: index + 1 }, (_, id) => `INSERT INTO notes VALUES (${id + index}, 'n', NULL);`)
    await project.run(test, rows.join(''))
    await project.run(test, `${rows.join('')} ALTER TABLE notes ADD COLUMN lang TEXT DEFAULT 'en'`)
  }
  project.end()
  return project
}

const ofGroup = '[a]ccept all 3, [r]eject all 3, [e]ach by itself, [s]kip, [o]pen the first in a browser, [q]uit? '

test.skipIf(!hasTerminal)('review asks once for goldens that change in the same way', async () => {
  using project = await projectWithMigration('a', 'b', 'c')
  await project.run('d', insert('My name is Wang'))
  await project.run('d', insert('My name is Li'))
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 120)
  await running.says(ofGroup)
  running.child.stdin.write('a\n')
  await running.says(/4 of 4 {2}d[\s\S]*\[q\]uit\? $/)
  expect(project.files.filter((name) => name.endsWith('.new'))).toHaveLength(1)
  running.child.stdin.write('r\n')
  const { stdout, code } = await running.ended
  const shown = stdout.replaceAll('\r', '')
  expect(code).toBe(0)
  expect(shown).toContain(`1–3 of 4  3 goldens change in the same way:
  a (notes: 1 row changed; declarations: 1)
  b (notes: 2 rows changed; declarations: 1)
  c (notes: 3 rows changed; declarations: 1)

The first: ${project.golden('a')}

table notes: declaration changed
`)
  expect(shown).toContain("      lang (new) = 'en'\n")
  expect(shown).toContain('3 changes accepted, 1 rejected, 0 left')
})

test.skipIf(!hasTerminal)('a group can be decided on one by one, skipped, or left', async () => {
  using project = await projectWithMigration('a', 'b', 'c')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 120)
  for (const [index, typed] of ['e', 'a', 'r', 's'].entries()) {
    await running.says(new RegExp(`(?:\\[q\\]uit\\? [\\s\\S]*){${index + 1}}`))
    running.child.stdin.write(`${typed}\n`)
  }
  expect((await running.ended).stdout).toContain('1 change accepted, 1 rejected, 1 left')
})

test.skipIf(!hasTerminal)('of a group, what changed since it was shown is asked about by itself', async () => {
  using project = await projectWithMigration('a', 'b', 'c')
  const running = startOnTerminal(['golden', 'review'], { cwd: project.cwd, env: noColor }, 120)
  await running.says(ofGroup)
  await project.run('b', insert('My name is Zhang'))
  running.child.stdin.write('a\n')
  await running.says(/My name is Zhang[\s\S]*\[q\]uit\? $/)
  expect(project.files.filter((name) => name.endsWith('.new'))).toHaveLength(1)
  running.child.stdin.write('r\n')
  expect((await running.ended).stdout).toContain('2 changes accepted, 1 rejected, 0 left')
})

test('values that differ are not the same change, and without a terminal one command decides on a group', async () => {
  using project = await projectWithMigration('a', 'b', 'c')
  await project.run(
    'b',
    "INSERT INTO notes VALUES (1, 'n', NULL), (2, 'n', NULL); ALTER TABLE notes ADD COLUMN lang TEXT DEFAULT 'de'",
  )
  const { stdout } = await unforget(['golden', 'review'], { cwd: project.cwd })
  const [a, b, c] = ['a', 'b', 'c'].map((name) => project.golden(name))
  expect(stdout).toContain(`2 goldens change in the same way:
${a}
${c}
  unforget golden diff ${a} ${a}.new
  unforget golden accept ${a}.new ${c}.new
  unforget golden reject ${a}.new ${c}.new

${b}
`)
  const [line = ''] = /unforget golden accept .*/.exec(stdout) ?? []
  expect((await shell(line, { cwd: project.cwd })).code).toBe(0)
  expect(project.files.filter((name) => name.endsWith('.new'))).toHaveLength(1)
})
