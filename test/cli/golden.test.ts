import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { GoldenProject, insert, projectWithPending } from './golden-project.ts'
import { unforget } from './support/run-cli.ts'

const golden = (project: GoldenProject, ...args: string[]) => unforget(['golden', ...args], { cwd: project.cwd })

const commands = ['review', 'pending', 'accept', 'reject', 'prune', 'check', 'diff', 'show', 'textconv']

test('help lists every command, and each has an example', async () => {
  using project = await GoldenProject.open()
  const { stdout, code } = await golden(project, '--help')
  expect(code).toBe(0)
  expect([...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)).toEqual(commands)
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
  const helps = await Promise.all(commands.map((name) => golden(project, name, '--help')))
  for (const [index, help] of helps.entries()) {
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(`\n\nExample:\n  $ unforget golden ${commands[index]}`)
  }
})

test('what cannot run says why in one sentence and exits with 2', async () => {
  using project = await projectWithPending('remembers')
  const { cwd } = project
  writeFileSync(join(cwd, 'notes.txt'), 'no database, but long enough to be one '.repeat(10))
  const calls = [
    [['dream'], "unknown command 'dream'; see unforget golden --help"],
    [['diff', 'a.sqlite'], "missing required argument 'after'; see unforget golden --help"],
    [['diff', 'none.sqlite', 'test/start.sqlite'], 'There is no none.sqlite.'],
    [['diff', 'notes.txt', 'test/start.sqlite'], 'notes.txt is not a SQLite database.'],
    [['diff', 'test', 'test/start.sqlite'], 'test is a folder, not a database.'],
    [['show', 'none.sqlite'], 'There is no none.sqlite.'],
    [
      ['show', 'test/start.sqlite', '--rows', 'all'],
      "option '--rows <n>' argument 'all' is invalid: expected a whole number; see unforget golden --help",
    ],
    [
      ['diff', 'a', 'b', '--volatile', 'x=uuid'],
      "option '--volatile <column=kind>' argument 'x=uuid' is invalid: expected table.column=uuid, =time or =random; see unforget golden --help",
    ],
    [['diff', 'test/start.sqlite', 'test/start.sqlite', '--json', '--html'], '--json and --html cannot be combined'],
    [
      ['diff', 'test/start.sqlite', project.golden('remembers'), '--volatile', 'notes.when=time'],
      'volatile names notes.when, but notes has only id, text, at.',
    ],
    [['textconv', 'none.sqlite'], 'there is no file none.sqlite'],
    [['accept', 'notes.txt'], 'notes.txt has no pending change; nothing was changed'],
    [['reject', project.golden('remembers'), 'none'], 'none has no pending change; nothing was changed'],
    [
      ['prune', '--used', 'notes.txt'],
      /^notes\.txt was not written by a run with SNAPSHOT_USED: .*; nothing was changed$/,
    ],
  ] as const
  const ended = await Promise.all(calls.map(([args]) => golden(project, ...args)))
  for (const [index, [args, sentence]] of calls.entries()) {
    const { stdout, stderr, code } = ended[index] ?? { stdout: '', stderr: '', code: null }
    expect({ stdout, code }, args.join(' ')).toEqual({ stdout: '', code: 2 })
    expect(stderr).toMatch(/^unforget: [^\n]*\n$/)
    if (typeof sentence === 'string') expect(stderr).toBe(`unforget: ${sentence}\n`)
    else expect(stderr.slice('unforget: '.length, -1)).toMatch(sentence)
  }
  expect(project.files).toHaveLength(4)
})

test('pending lists what waits, and exits with 1 while something does', async () => {
  using project = await projectWithPending('remembers', 'forgets')
  const { stdout, stderr, code } = await golden(project, 'pending')
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 })
  expect(stdout).toBe(`${project.golden('forgets')}.new
  test     forgets
  changes  notes: 1 row changed

${project.golden('remembers')}.new
  test     remembers
  changes  notes: 1 row changed

2 changes pending: unforget golden review
`)
  const json = JSON.parse((await golden(project, 'pending', '--json')).stdout) as { pending: unknown[] }
  expect(json.pending).toEqual([
    expect.objectContaining({ test: 'forgets' }),
    {
      golden: project.golden('remembers'),
      pending: `${project.golden('remembers')}.new`,
      test: 'remembers',
      step: null,
      diff: expect.objectContaining({ tables: [expect.objectContaining({ table: 'notes', changed: 1 })] }),
      problem: null,
      notApplied: [],
    },
  ])
  await golden(project, 'reject')
  expect(await golden(project, 'pending')).toEqual({ stdout: 'nothing to review\n', stderr: '', code: 0 })
})

test('a report that was tampered with is as good as none', async () => {
  using project = await projectWithPending('a')
  for (const header of ['{}', '{"test":7,"volatile":{}}', '{"test":"a","volatile":null}']) {
    writeFileSync(join(project.cwd, `${project.golden('a')}.new.txt`), `${header}\ncheck 0\n\nbody\n`)
    const { stdout, code } = await golden(project, 'pending')
    expect(code).toBe(1)
    expect(stdout).toContain('test     (unknown)\n  changes  notes: 1 row changed')
  }
})

test('accept and reject take goldens, pending states, folders, or all', async () => {
  using project = await projectWithPending('a', 'b', 'c', 'd')
  const paths = { a: project.golden('a'), b: project.golden('b'), c: project.golden('c') }
  expect(await golden(project, 'accept', paths.a, `${paths.a}.new`)).toEqual({
    stdout: `accepted ${paths.a}\n`,
    stderr: '',
    code: 0,
  })
  expect(readFileSync(join(project.cwd, `${paths.a}.txt`), 'utf8')).toContain('My name is Li')
  expect((await golden(project, 'reject', `${paths.b}.new`, '--json')).stdout).toBe(
    `${JSON.stringify({ rejected: [`${paths.b}.new`] }, null, 2)}\n`,
  )
  expect(readFileSync(join(project.cwd, `${paths.b}.txt`), 'utf8')).toContain('My name is Wang')
  expect((await golden(project, 'accept', dirname(paths.c))).stdout.split('\n')).toHaveLength(3)
  expect(project.files).toHaveLength(8)
  expect((await golden(project, 'accept')).stdout).toBe('nothing to review\n')
  expect((await golden(project, 'check')).code).toBe(0)
  await project.run('c', insert('My name is Li'), 'none')
})

test('accept changes nothing if one of the states is no database', async () => {
  using project = await projectWithPending('a', 'b')
  writeFileSync(join(project.cwd, `${project.golden('b')}.new`), 'spoiled')
  const { stderr, code } = await golden(project, 'accept')
  expect(code).toBe(2)
  expect(stderr).toContain('is not a SQLite database')
  expect(project.files).toHaveLength(8)
})

test('check finds reports that are stale or missing, and goldens that are spoiled', async () => {
  using project = await GoldenProject.open()
  for (const name of ['stale', 'missing', 'spoiled', 'true']) await project.run(name, insert(name))
  mkdirSync(join(project.cwd, 'node_modules'))
  writeFileSync(join(project.cwd, 'test', '__goldens__', 'README'), 'not a folder')
  expect(await golden(project, 'check')).toEqual({ stdout: '4 goldens: every report matches\n', stderr: '', code: 0 })
  const file = (name: string, end = '') => join(project.cwd, `${project.golden(name)}${end}`)
  writeFileSync(file('stale', '.txt'), readFileSync(file('stale', '.txt'), 'utf8').replace("'stale'", "'fresh'"))
  rmSync(file('missing', '.txt'))
  writeFileSync(file('spoiled'), 'spoiled')
  const { stdout, code } = await golden(project, 'check')
  expect(code).toBe(1)
  expect(stdout).toBe(`${project.golden('missing')}
  its report is missing: run the tests locally and commit it
${project.golden('spoiled')}
  ${file('spoiled')} is not a SQLite database. Delete it to have it created again.
${project.golden('stale')}
  its report does not match: run the tests locally and commit it
4 goldens: 3 wrong
`)
  const json = JSON.parse((await golden(project, 'check', '--json')).stdout) as { goldens: number; wrong: unknown[] }
  expect([json.goldens, json.wrong.length]).toEqual([4, 3])
})

test('prune deletes the goldens of files that are gone, and those that a run did not use', async () => {
  using project = await GoldenProject.open()
  for (const name of ['used', 'unused']) await project.run(name, insert(name))
  project.end()
  expect((await golden(project, 'prune')).stdout).toBe('every golden belongs to a test file that may use it\n')

  const record = (...lines: unknown[]) =>
    writeFileSync(join(project.cwd, 'used.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { testFile, cwd } = project
  const obsolete = [join(cwd, project.golden('unused'))]
  for (const other of [
    { testFile, complete: false, obsolete: [] },
    { testFile, complete: true, obsolete: [] },
  ]) {
    record({ testFile, complete: true, obsolete }, other)
    expect((await golden(project, 'prune', '--used', 'used.jsonl')).stdout).toBe(
      'every golden belongs to a test file that may use it\n',
    )
  }
  record({ testFile, complete: true, obsolete })
  expect(await golden(project, 'prune', '--used', 'used.jsonl')).toEqual({
    stdout: `${project.golden('unused')}\n`,
    stderr: 'unforget: stdin is not a terminal; pass --yes to delete them; nothing was changed\n',
    code: 2,
  })
  expect(project.files).toHaveLength(4)
  expect((await golden(project, 'prune', '--used', 'used.jsonl', '--yes')).stdout).toBe(
    `${project.golden('unused')}\ndeleted 1 golden\n`,
  )
  expect(project.files).toHaveLength(2)

  rmSync(testFile)
  const { stdout } = await golden(project, 'prune', '--yes', '--json')
  expect(JSON.parse(stdout)).toEqual({ deleted: [project.golden('used')] })
  expect(existsSync(join(cwd, 'test', '__goldens__'))).toBe(false)
  expect(existsSync(join(cwd, 'test', 'start.sqlite'))).toBe(true)
})

test('check and prune find the goldens of a test file that loads nothing of ours any more', async () => {
  using project = await GoldenProject.open()
  await project.run('used', insert('used'))
  project.end()
  writeFileSync(project.testFile, "import { test } from 'node:test'\n")
  expect(await golden(project, 'check')).toEqual({
    stdout: `${project.golden('used')}
  its test file no longer loads unforget/golden: unforget golden prune
1 golden: 1 wrong
`,
    stderr: '',
    code: 1,
  })
  expect((await golden(project, 'prune', '--yes')).stdout).toBe(`${project.golden('used')}\ndeleted 1 golden\n`)
  expect((await golden(project, 'check')).code).toBe(0)
})
