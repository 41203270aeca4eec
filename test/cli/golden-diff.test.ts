import { execFile } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { change, GoldenProject, hostile, insert, projectWithPending } from './golden-project.ts'
import { hasTerminal, main, startOnTerminal, unforget } from './support/run-cli.ts'

const run = promisify(execFile)

const declared = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT);'

async function twoDatabases(before: string, after: string): Promise<string> {
  const cwd = await temporaryFolder()
  change(join(cwd, 'a.db'), declared + before)
  change(join(cwd, 'b.db'), declared + after)
  return cwd
}

test('diff of equal databases exits with 0, of others with 1', async () => {
  const insert = "INSERT INTO notes VALUES (1, 'one', NULL);"
  const cwd = await twoDatabases(insert, `${insert} PRAGMA user_version = 2; UPDATE notes SET text = 'two'`)
  const before = await lookAtFolder(cwd)
  expect(await unforget(['golden', 'diff', 'a.db', 'a.db'], { cwd })).toEqual({
    stdout: 'nothing differs\n',
    stderr: '',
    code: 0,
  })
  expect(await unforget(['golden', 'diff', 'a.db', 'b.db'], { cwd })).toEqual({
    stdout: `user_version: 0 → 2

table notes: 1 row changed
  ~ id=1
      text  'one' → 'two'
`,
    stderr: '',
    code: 1,
  })
  const { stdout, code } = await unforget(['golden', 'diff', 'a.db', 'b.db', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    before: 'a.db',
    after: 'b.db',
    equal: false,
    notApplied: [],
    diff: {
      settings: [{ name: 'user_version', before: '0', after: '2' }],
      schema: [],
      tables: [
        {
          table: 'notes',
          key: ['id'],
          columns: ['id', 'text', 'at'],
          changed: 1,
          removed: 0,
          added: 0,
          rows: [
            {
              kind: 'changed',
              key: [{ column: 'id', value: '1' }],
              cells: [{ column: 'text', before: "'one'", after: "'two'" }],
            },
          ],
        },
      ],
      brokenForeignKeys: [],
    },
  })
  expect(await lookAtFolder(cwd)).toEqual(before)
})

test('diff knows the columns that change on every run from the option, and from the report beside a golden', async () => {
  const at = (time: string) => `INSERT INTO notes VALUES (1, 'one', '2026-01-0${time}T10:00:00Z')`
  const cwd = await twoDatabases(at('1'), at('2'))
  const args = ['golden', 'diff', 'a.db', 'b.db']
  expect((await unforget(args, { cwd })).code).toBe(1)
  expect((await unforget([...args, '--volatile', 'notes.at=time'], { cwd })).code).toBe(0)
  using project = await projectWithPending('a')
  const golden = join(project.cwd, project.golden('a'))
  change(join(cwd, 'live.db'), `${declared} INSERT INTO notes VALUES (1, 'My name is Wang', '2030-05-05T05:05:05Z')`)
  expect((await unforget(['golden', 'diff', golden, 'live.db'], { cwd })).code).toBe(0)
})

test('diff and show read a live database beside the one who writes to it', async () => {
  const cwd = await twoDatabases('', '')
  using live = Object.assign(new Database(join(cwd, 'live.db')), {
    [Symbol.dispose]() {
      live.close()
    },
  })
  live.pragma('journal_mode = WAL')
  live.exec(`${declared} INSERT INTO notes VALUES (7, 'only in the log', NULL)`)
  const { stdout } = await unforget(['golden', 'diff', 'a.db', 'live.db'], { cwd })
  expect(stdout).toContain("+ id=7 text='only in the log' at=NULL")
  expect((await unforget(['golden', 'show', 'live.db'], { cwd })).stdout).toContain("id=7 text='only in the log'")
})

test('show prints what is in a database, so many rows of a table', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `(${index}, '${'long '.repeat(index)}', NULL)`)
  const cwd = await twoDatabases(`PRAGMA application_id = 7; INSERT INTO notes VALUES ${rows.join()}`, '')
  const { stdout, code } = await unforget(['golden', 'show', 'a.db', '--rows', '2'], { cwd })
  expect({ stdout, code }).toEqual({
    stdout: `application_id 7

table notes
  CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT)

rows of notes: 30
  id=0 text='' at=NULL
  id=1 text='long ' at=NULL
  … and 28 more
`,
    code: 0,
  })
  expect((await unforget(['golden', 'show', 'a.db'], { cwd })).stdout).toContain('(95 characters)')
  const json = JSON.parse((await unforget(['golden', 'show', 'a.db', '--json'], { cwd })).stdout) as {
    tables: { count: number; rows: string[][] }[]
  }
  expect(json.tables[0]?.rows).toHaveLength(30)
  expect(json.tables[0]?.rows[1]).toEqual(['1', "'long '", 'NULL'])
})

test('nothing that a database holds acts on a terminal or in a page', async () => {
  const evil = hostile.replaceAll("'", "''")
  const cwd = await twoDatabases(
    '',
    `INSERT INTO notes VALUES (1, '${evil}', NULL); CREATE TABLE "${evil}" ("${evil}"); INSERT INTO "${evil}" VALUES ('${evil}')`,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
  for (const args of [
    ['diff', 'a.db', 'b.db'],
    ['diff', 'a.db', 'b.db', '--json'],
    ['show', 'b.db'],
    ['textconv', 'b.db'],
  ]) {
    expect((await unforget(['golden', ...args], { cwd })).stdout, args.join(' ')).not.toMatch(acting)
  }
  const { stdout: file, code } = await unforget(['golden', 'diff', 'a.db', 'b.db', '--html'], {
    cwd,
    env: { TMPDIR: cwd },
  })
  const page = readFileSync(file.trim(), 'utf8')
  expect(code).toBe(1)
  expect(page).not.toMatch(acting)
  expect(page).not.toMatch(/<script|https?:/)
  expect(page).toContain('&#60;script&#62;')
  expect(page).toContain("default-src 'none'")
})

test.skipIf(!hasTerminal)('color on a terminal only', async () => {
  const cwd = await twoDatabases('', "INSERT INTO notes VALUES (1, 'one', NULL)")
  const args = ['golden', 'diff', 'a.db', 'b.db']
  expect((await startOnTerminal(args, { cwd }).ended).stdout).toContain("\x1b[32m+ id=1 text='one' at=NULL\x1b[0m")
  expect((await startOnTerminal(args, { cwd, env: { NO_COLOR: '1' } }).ended).stdout).not.toContain('\x1b')
})

test('two lines of configuration make git diff readable', async () => {
  using project = await projectWithPending('remembers')
  const { cwd } = project
  const env = { ...process.env, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' }
  const git = (...args: string[]) => run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, env })
  await git('init', '--quiet')
  writeFileSync(join(cwd, '.gitattributes'), '*.sqlite diff=sqlite\n')
  await git('config', 'diff.sqlite.textconv', `'${process.execPath}' '${main}' golden textconv`)
  writeFileSync(join(cwd, 'old.sqlite'), 'this was never a database')
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'goldens')

  expect((await git('diff')).stdout).toBe('')
  renameSync(join(cwd, `${project.golden('remembers')}.new`), join(cwd, project.golden('remembers')))
  writeFileSync(join(cwd, 'old.sqlite'), 'nor is it one now')
  const { stdout } = await git('diff', '--', project.golden('remembers'))
  expect(stdout).toContain(`
 rows of notes: 1
-  id=1 text='My name is Wang' at='2026-01-02T10:00:00.000Z'
+  id=1 text='My name is Li' at='2026-01-02T10:00:00.000Z'
`)
  expect(stdout).not.toContain('Binary files')
  expect((await git('diff', '--', 'old.sqlite')).stdout).toBe('')
  expect((await git('log', '-p')).stdout).toContain('+(old.sqlite is not a SQLite database.)')
})

test('values of a column that one side has are in the text, in JSON and on the page', async () => {
  const insert = "INSERT INTO notes VALUES (1, 'one', NULL);"
  const migration = "ALTER TABLE notes ADD COLUMN email TEXT; UPDATE notes SET email = 'wrong@x'"
  const cwd = await twoDatabases(insert, `${insert} ${migration}; INSERT INTO notes VALUES (2, 'two', NULL, 'new@x')`)
  const args = ['golden', 'diff', 'a.db', 'b.db']
  expect((await unforget(args, { cwd })).stdout).toContain(`table notes: 1 row changed, 1 row added
  + id=2 text='two' at=NULL email='new@x'
  ~ id=1
      email (new) = 'wrong@x'
`)
  const { diff } = JSON.parse((await unforget([...args, '--json'], { cwd })).stdout) as { diff: { tables: unknown[] } }
  expect(diff.tables).toMatchObject([
    {
      columns: ['id', 'text', 'at', 'email'],
      rows: [{ kind: 'added' }, { kind: 'changed', cells: [{ column: 'email', before: null, after: "'wrong@x'" }] }],
    },
  ])
  const back = await unforget(['golden', 'diff', 'b.db', 'a.db'], { cwd })
  expect(back.stdout).toContain("      email (dropped) = 'wrong@x'\n")
  const { stdout: file } = await unforget([...args, '--html'], { cwd, env: { TMPDIR: cwd } })
  const page = readFileSync(file.trim(), 'utf8')
  expect(page).toContain('<td>email (new)</td><td></td><td class="new"><div>&#39;wrong@x&#39;</div></td>')
  expect(page).toContain('<td>email</td><td class="new"><div>&#39;new@x&#39;</div></td>')
})

test('the page marks what changed within a line of a declaration', async () => {
  const cwd = await twoDatabases('', 'ALTER TABLE notes ADD COLUMN email TEXT; CREATE TABLE other (a)')
  const { stdout: file } = await unforget(['golden', 'diff', 'a.db', 'b.db', '--html'], { cwd, env: { TMPDIR: cwd } })
  const page = readFileSync(file.trim(), 'utf8')
  expect(page).toContain(
    '<i class="old">- CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT)</i>\n<i class="new">+ CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT<mark>, email TEXT</mark>)</i>',
  )
  expect(page).toContain('<i class="new">+ CREATE TABLE other (a)</i>')
})

test('functions of the test cannot be applied, and diff and pending say so', async () => {
  using project = await GoldenProject.open()
  const withoutNumbers = { 'notes.text': (value: unknown) => String(value).replace(/\d+/, 'N') }
  await project.run('a', insert('took 7 ms'), 'new', withoutNumbers)
  await project.run('a', insert('took 8 ms, too long'), 'new', withoutNumbers)
  project.end()
  const { cwd } = project
  const note =
    'The test compares notes.text with a function of its own, which only the test can apply: its values are compared as they are here.'
  const pending = await unforget(['golden', 'pending'], { cwd })
  expect(pending.stdout.replaceAll(/\s+/g, ' ')).toContain(`note ${note}`)
  const json = JSON.parse((await unforget(['golden', 'pending', '--json'], { cwd })).stdout) as { pending: unknown[] }
  expect(json.pending).toMatchObject([{ notApplied: ['notes.text'] }])
  const diff = ['golden', 'diff', project.golden('a'), `${project.golden('a')}.new`]
  expect(await unforget(diff, { cwd })).toMatchObject({ stderr: `${note}\n`, code: 1 })
  expect(JSON.parse((await unforget([...diff, '--json'], { cwd })).stdout)).toMatchObject({
    notApplied: ['notes.text'],
  })
  const overridden = await unforget([...diff, '--volatile', 'notes.text=random'], { cwd })
  expect(overridden).toMatchObject({ stdout: 'nothing differs\n', stderr: '', code: 0 })
  const { stdout: file } = await unforget([...diff, '--html'], { cwd, env: { TMPDIR: cwd } })
  expect(readFileSync(file.trim(), 'utf8')).toContain(`<p class="soft">${note}</p>`)
})

test('diff and pending apply the paths into JSON that the test declares', async () => {
  using project = await GoldenProject.open()
  const volatile = { 'notes.text$.at': 'time' } as const
  const text = (at: string, name: string) => insert(`{"at":"2026-01-0${at}","name":"${name}"}`)
  await project.run('a', text('1', 'Wang'), 'new', volatile)
  await project.run('a', text('2', 'Li'), 'new', volatile)
  project.end()
  const diff = ['golden', 'diff', project.golden('a'), `${project.golden('a')}.new`]
  const { stdout, stderr } = await unforget(diff, { cwd: project.cwd })
  expect(stdout).toContain('text  {"at":<time date>,"name":"Wang"} → {"at":<time date>,"name":"Li"}')
  expect(stderr).toBe('')
  const cwd = await twoDatabases(text('1', 'Wang'), text('2', 'Wang'))
  const given = await unforget(['golden', 'diff', 'a.db', 'b.db', '--volatile', 'notes.text$.at=time'], { cwd })
  expect(given.code).toBe(0)
})
