import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  acceptPending,
  findOrphans,
  findPending,
  orphanhoodOf,
  rejectPending,
  removeGolden,
} from '../../src/golden/files/golden-files.ts'
import { goldenFolder, goldenPath, pendingPath, reportPath } from '../../src/golden/files/golden-names.ts'
import { isReportStale, readSubject } from '../../src/golden/files/report.ts'
import { finishFile } from '../../src/golden/finish-file.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import type { UpdateMode } from '../../src/golden/mode.ts'
import { type Finished, openSnapshotDb, type SnapshotDb } from '../../src/golden/snapshot-db.ts'
import type { SnapshotDbOptions } from '../../src/golden/snapshot-db-config.ts'
import { lookAtFolder } from '../support/look-at-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { write } from './support/database.ts'

afterAll(stopFreezer)
beforeEach(() => {
  vi.stubEnv('CI', '')
  vi.stubEnv('SNAPSHOT_UPDATE', '')
  return () => vi.unstubAllEnvs()
})

const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)'
const seed = (path: string) => write(path, `${table}; INSERT INTO t VALUES (1, 'seeded')`)
const counts = { added: 0, matched: 0, updated: 0, unmatched: 0 }

async function testFile(): Promise<string> {
  return join(await temporaryFolder(), 'memory.test.ts')
}

type Attempt = Partial<SnapshotDbOptions> & { testFile: string }

/** Runs a body as a runner's adapter would. */
async function attempt(options: Attempt, body: (db: SnapshotDb) => unknown): Promise<Finished> {
  const db = await openSnapshotDb({
    testName: 'remembers',
    testId: options.testName ?? '1',
    golden: 'start.sqlite',
    seed,
    ...options,
  })
  let passed = true
  try {
    await body(db)
  } catch {
    passed = false
  }
  return db.finish({ passed })
}

const change = (sql: string) => (db: SnapshotDb) => write(db.path, sql)
const ours = change("INSERT INTO t VALUES (2, 'ours')")
const theirs = change("INSERT INTO t VALUES (2, 'theirs')")

describe('the decision table', () => {
  const golden = (file: string) => goldenPath(file, 'remembers', null)

  test.each(['new', 'all'] as const)('a missing golden is written (%s)', async (mode) => {
    const file = await testFile()
    expect(await attempt({ testFile: file, mode }, ours)).toEqual({ counts: { ...counts, added: 1 }, error: null })
    expect(existsSync(golden(file))).toBe(true)
    expect(readFileSync(reportPath(golden(file)), 'utf8')).toContain("+ id=2 v='ours'")
  })

  test('a missing golden fails where nothing may be written', async () => {
    const file = await testFile()
    await attempt({ testFile: file, testName: 'other' }, ours)
    const before = await lookAtFolder(goldenFolder(file))
    const { counts: counted, error } = await attempt({ testFile: file, mode: 'none' }, ours)
    expect(counted).toEqual({ ...counts, unmatched: 1 })
    expect(error).toMatchObject({ code: 'MISMATCH', mismatches: [{ diff: null, pending: null }] })
    expect(await lookAtFolder(goldenFolder(file))).toEqual(before)
  })

  test.each(['new', 'none', 'all'] as const)(
    'an equal one is left alone (%s), and a pending state is stale',
    async (mode) => {
      const file = await testFile()
      await attempt({ testFile: file }, ours)
      const before = await lookAtFolder(goldenFolder(file))
      await attempt({ testFile: file }, theirs)
      expect(existsSync(pendingPath(golden(file)))).toBe(true)
      expect(await attempt({ testFile: file, mode }, ours)).toEqual({ counts: { ...counts, matched: 1 }, error: null })
      const after = await lookAtFolder(goldenFolder(file))
      if (mode === 'none') expect(after).toEqual(expect.arrayContaining(before))
      else expect(after).toEqual(before)
      expect(existsSync(pendingPath(golden(file)))).toBe(mode === 'none')
    },
  )

  test.each([
    ['new', true],
    ['none', false],
  ] as const)('one that differs fails (%s), and a pending state is written: %s', async (mode, isWritten) => {
    const file = await testFile()
    await attempt({ testFile: file }, ours)
    const bytes = readFileSync(golden(file))
    const { counts: counted, error } = await attempt({ testFile: file, mode }, theirs)
    expect(counted).toEqual({ ...counts, unmatched: 1 })
    expect(error?.message).toContain("v  'ours' → 'theirs'")
    expect(readFileSync(golden(file)).equals(bytes)).toBe(true)
    expect(existsSync(pendingPath(golden(file)))).toBe(isWritten)
    expect(findPending(join(file, '..'))).toHaveLength(isWritten ? 1 : 0)
  })

  test('one that differs is rewritten when all may be', async () => {
    const file = await testFile()
    await attempt({ testFile: file }, ours)
    await attempt({ testFile: file }, change("INSERT INTO t VALUES (2, 'pending')"))
    expect(await attempt({ testFile: file, mode: 'all' }, theirs)).toEqual({
      counts: { ...counts, updated: 1 },
      error: null,
    })
    expect(readdirSync(goldenFolder(file)).filter((name) => name.includes('.new'))).toEqual([])
    expect(await attempt({ testFile: file, mode: 'none' }, theirs)).toMatchObject({ error: null })
  })

  test.each(['new', 'none', 'all'] as const)(
    'nothing is compared or written when the body failed (%s)',
    async (mode) => {
      const file = await testFile()
      await attempt({ testFile: file }, ours)
      const before = await lookAtFolder(goldenFolder(file))
      const finished = await attempt({ testFile: file, mode }, async (db) => {
        await db.step('half')
        write(db.path, 'DROP TABLE t')
        throw new Error('the body failed')
      })
      expect(finished).toEqual({ counts, error: null })
      expect(await lookAtFolder(goldenFolder(file))).toEqual(before)
    },
  )

  test('CI never writes, whatever the runner or the environment says', async () => {
    const file = await testFile()
    await attempt({ testFile: file }, ours)
    vi.stubEnv('CI', 'true')
    vi.stubEnv('SNAPSHOT_UPDATE', 'all')
    const before = await lookAtFolder(goldenFolder(file))
    expect((await attempt({ testFile: file, mode: 'all' }, theirs)).error).toMatchObject({ code: 'MISMATCH' })
    expect(await lookAtFolder(goldenFolder(file))).toEqual(before)
    vi.stubEnv('CI', 'false')
    expect((await attempt({ testFile: file, mode: 'none' }, theirs)).counts.updated).toBe(1)
    vi.stubEnv('SNAPSHOT_UPDATE', 'yes')
    await expect(attempt({ testFile: file }, ours)).rejects.toMatchObject({ code: 'BAD_OPTION' })
  })
})

test('a test has a copy of its own, in a folder of its own, that is gone afterwards', async () => {
  const file = await testFile()
  const paths: string[] = []
  await Promise.all(
    ['a', 'b', 'c'].map((testName) =>
      attempt({ testFile: file, testName }, (db) => {
        paths.push(db.path)
        expect(readdirSync(join(db.path, '..'))).toEqual(['start.sqlite'])
        write(db.path, `INSERT INTO t VALUES (5, '${testName}')`)
      }),
    ),
  )
  expect(new Set(paths).size).toBe(3)
  expect(paths.some(existsSync)).toBe(false)
  expect(readdirSync(join(file, '..')).sort()).toEqual(['__goldens__', 'start.sqlite'])
})

test('steps have goldens of their own, and all that differ are told at once', async () => {
  const file = await testFile()
  const body = (value: string) => async (db: SnapshotDb) => {
    write(db.path, `UPDATE t SET v = '${value} first'`)
    await db.step('first')
    write(db.path, `UPDATE t SET v = '${value}'`)
  }
  expect((await attempt({ testFile: file }, body('a'))).counts.added).toBe(2)
  expect((await attempt({ testFile: file }, body('a'))).counts.matched).toBe(2)
  const { error } = await attempt({ testFile: file }, body('b'))
  expect(error).toMatchObject({ mismatches: [{ step: 'first' }, { step: null }] })
  const twice = await openSnapshotDb({ testFile: file, testName: 'twice', testId: '2' })
  write(twice.path, table)
  await twice.step('same')
  await expect(twice.step('same')).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  await twice.finish({ passed: false })
})

test('a retry is the same test; another with its name is a mistake', async () => {
  const file = await testFile()
  const failing = await attempt({ testFile: file, testId: '7' }, () => Promise.reject(new Error('flaky')))
  expect(failing).toEqual({ counts, error: null })
  expect((await attempt({ testFile: file, testId: '7' }, ours)).counts.added).toBe(1)
  await expect(attempt({ testFile: file, testId: '8' }, ours)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
})

test('of two tests with one name neither leaves a golden, one after the other or at once', async () => {
  const file = await testFile()
  await attempt({ testFile: file, testName: 'other' }, ours)
  const before = await lookAtFolder(goldenFolder(file))
  const withStep = async (db: SnapshotDb) => db.step('one')
  expect((await attempt({ testFile: file, testId: '1' }, withStep)).counts.added).toBe(2)
  await expect(attempt({ testFile: file, testId: '2' }, ours)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  expect(await lookAtFolder(goldenFolder(file))).toEqual(before)

  finishFile({ testFile: file, complete: false })
  const first = await attempt({ testFile: file, testId: '3' }, async () => {
    await expect(attempt({ testFile: file, testId: '4' }, ours)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  })
  expect(first.error).toMatchObject({ code: 'NAME_TAKEN' })
  expect(await lookAtFolder(goldenFolder(file))).toEqual(before)
})

test('a golden that was there before is not taken away by a second test of its name', async () => {
  const file = await testFile()
  await attempt({ testFile: file, testId: '1' }, ours)
  finishFile({ testFile: file, complete: true })
  await attempt({ testFile: file, testId: '1' }, ours)
  await expect(attempt({ testFile: file, testId: '2' }, ours)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  expect(existsSync(goldenPath(file, 'remembers', null))).toBe(true)
})

test.each([
  'x'.repeat(300),
  '🧠🐟',
  '../../../etc/passwd',
  'a/b\\c:d*e?',
  'con',
  '.',
  '',
  'nul\0byte',
  'A',
  'a',
  'ä',
  'a\u0308',
])('a test named %j has its own file next to the test file', async (testName) => {
  const file = await testFile()
  expect((await attempt({ testFile: file, testName }, ours)).counts.added).toBe(1)
  const [name = ''] = readdirSync(goldenFolder(file))
  expect(name).toMatch(/^[a-z0-9-]+\.sqlite$/)
  expect(name.length).toBeLessThan(100)
})

test.each(['a.test.js', 'a.test.ts', 'test.mjs', 'a_test.cjs'])('the folder of %s is not taken for a test', (name) => {
  expect(goldenFolder(join('test', name))).not.toMatch(/\.[cm]?[jt]sx?$/)
})

test('names that differ in case or form only do not share a file, even where case is ignored', () => {
  const names = ['A', 'a', 'ä', 'Ä', 'a\u0308', 'a b', 'a-b'].map((name) =>
    goldenPath('/t.ts', name, null).toLowerCase(),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('a transaction left open is told, and nothing is written', async () => {
  const file = await testFile()
  let left: Database.Database | undefined
  const { error, counts: counted } = await attempt({ testFile: file }, (db) => {
    left = new Database(db.path)
    left.exec('BEGIN IMMEDIATE; DELETE FROM t')
  })
  left?.close()
  expect(error).toMatchObject({ code: 'TRANSACTION_OPEN' })
  expect(counted.unmatched).toBe(1)
  expect(existsSync(goldenFolder(file))).toBe(false)
})

test('volatile columns are compared by shape, and proposed where they are not declared', async () => {
  const file = await testFile()
  const body = (db: SnapshotDb) => write(db.path, `INSERT INTO t VALUES (3, '${crypto.randomUUID()}')`)
  await attempt({ testFile: file }, body)
  const { error } = await attempt({ testFile: file }, body)
  expect(error?.message).toContain("volatile: { 't.v': 'uuid' }")
  expect(await attempt({ testFile: file, volatile: { 't.v': 'uuid' } }, body)).toMatchObject({
    counts: { matched: 1 },
    error: null,
  })
})

describe('bad goldens', () => {
  const spoil: [code: string, write: (path: string) => void][] = [
    ['NOT_A_DATABASE', (path) => writeFileSync(path, 'not a database')],
    ['NOT_A_DATABASE', (path) => writeFileSync(path, '')],
    ['IS_DIRECTORY', (path) => mkdirSync(path)],
  ]

  test.each(
    spoil.flatMap(([code, write]) => (['new', 'all', 'none'] as const).map((mode) => [code, mode, write] as const)),
  )('%s is a sentence, and nothing is overwritten (%s)', async (code, mode: UpdateMode, spoilAt) => {
    const file = await testFile()
    await attempt({ testFile: file, testName: 'other' }, ours)
    spoilAt(goldenPath(file, 'remembers', null))
    const before = readdirSync(goldenFolder(file)).map((name) => [
      name,
      statSync(join(goldenFolder(file), name)).mtimeMs,
    ])
    expect((await attempt({ testFile: file, mode }, ours)).error).toMatchObject({ code })
    expect(
      readdirSync(goldenFolder(file)).map((name) => [name, statSync(join(goldenFolder(file), name)).mtimeMs]),
    ).toEqual(before)
    spoilAt(join(file, '..', 'bad.sqlite'))
    await expect(
      openSnapshotDb({ testFile: file, testName: 'x', testId: 'x', golden: 'bad.sqlite', seed }),
    ).rejects.toMatchObject({ code })
  })
})

describe('the report', () => {
  test('says what the bytes mean, and is stale when it does not', async () => {
    const file = await testFile()
    await attempt({ testFile: file }, ours)
    const golden = goldenPath(file, 'remembers', null)
    expect(isReportStale(golden)).toBe(false)
    const text = readFileSync(reportPath(golden), 'utf8')
    writeFileSync(reportPath(golden), text.replaceAll('\n', '\r\n'))
    expect(isReportStale(golden)).toBe(false)
    writeFileSync(reportPath(golden), text.replace('ours', 'yours'))
    expect(isReportStale(golden)).toBe(true)
    expect((await attempt({ testFile: file, mode: 'none' }, ours)).error).toMatchObject({ code: 'REPORT_STALE' })
    expect((await attempt({ testFile: file }, ours)).error).toBeNull()
    expect(readFileSync(reportPath(golden), 'utf8')).toBe(text)
  })

  test('of a test with any name is text that nothing acts on', async () => {
    const file = await testFile()
    const testName = 'a\u001b[2J\0b\u009b31m\u202ec\nd'
    await attempt({ testFile: file, testName }, async (db) => db.step('\u001b[0m'))
    for (const step of [null, '\u001b[0m']) {
      const golden = goldenPath(file, testName, step)
      const text = readFileSync(reportPath(golden), 'utf8')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      expect(text).toContain('\na\\u001b[2J\\u0000b\\u009b31m\\u202ec\\nd')
      expect(readSubject(golden)).toMatchObject({ test: testName, step })
      expect(isReportStale(golden)).toBe(false)
    }
  })

  test('comes and goes with its pending state', async () => {
    const file = await testFile()
    await attempt({ testFile: file }, ours)
    await attempt({ testFile: file }, theirs)
    const [pending] = findPending(join(file, '..'))
    expect(pending).toBeDefined()
    if (pending === undefined) return
    acceptPending(pending)
    expect(isReportStale(pending.golden)).toBe(false)
    expect(await attempt({ testFile: file, mode: 'none' }, theirs)).toMatchObject({ error: null })
    await attempt({ testFile: file }, ours)
    rejectPending(pending)
    expect(readdirSync(goldenFolder(file))).toHaveLength(2)
  })
})

describe('obsolete goldens', () => {
  async function fileWithThree(): Promise<string> {
    const file = await testFile()
    for (const testName of ['a', 'b', 'c']) {
      await attempt({ testFile: file, testName }, async (db) => {
        await db.step('one')
      })
    }
    expect(finishFile({ testFile: file, complete: true })).toMatchObject({ obsolete: [], message: null, error: null })
    return file
  }
  const withStep = async (db: SnapshotDb) => db.step('one')

  test('are warned about, fail, or go', async () => {
    const file = await fileWithThree()
    const run = async (mode: UpdateMode) => {
      await attempt({ testFile: file, testName: 'a' }, withStep)
      await attempt({ testFile: file, testName: 'b' }, () => {})
      return finishFile({ testFile: file, complete: true, mode })
    }
    const obsolete = [goldenPath(file, 'b', 'one'), goldenPath(file, 'c', null), goldenPath(file, 'c', 'one')].sort()
    expect(await run('new')).toMatchObject({
      obsolete,
      error: null,
      message: expect.stringContaining('goldens: 3 obsolete. No test'),
    })
    expect((await run('none')).error).toMatchObject({ code: 'OBSOLETE' })
    expect(existsSync(goldenPath(file, 'c', null))).toBe(true)
    await run('all')
    expect(readdirSync(goldenFolder(file)).filter((name) => name.endsWith('.sqlite'))).toHaveLength(3)
    expect(readdirSync(goldenFolder(file))).toHaveLength(6)
  })

  test('are not looked for in a part of a file, nor among tests that failed or were skipped', async () => {
    const file = await fileWithThree()
    await attempt({ testFile: file, testName: 'a' }, withStep)
    expect(finishFile({ testFile: file, complete: false, mode: 'all' }).obsolete).toEqual([])
    await attempt({ testFile: file, testName: 'a' }, withStep)
    await attempt({ testFile: file, testName: 'b' }, () => Promise.reject(new Error('failed before its step')))
    expect(finishFile({ testFile: file, complete: true, skippedTests: ['c'], mode: 'all' }).obsolete).toEqual([])
    expect(readdirSync(goldenFolder(file))).toHaveLength(12)
  })

  test('of a whole run are recorded in one file, and those of a test file that is gone are found', async () => {
    const file = await fileWithThree()
    const record = join(file, '..', 'used')
    vi.stubEnv('SNAPSHOT_USED', record)
    await attempt({ testFile: file, testName: 'a' }, withStep)
    finishFile({ testFile: file, complete: true })
    finishFile({ testFile: file, complete: false })
    const lines = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { obsolete: string[] })
    expect(lines.map(({ obsolete }) => obsolete.length)).toEqual([4, 0])
    expect(findOrphans(join(file, '..'))).toHaveLength(6)
    writeFileSync(file, "import { test } from './fixtures.ts'")
    writeFileSync(join(file, '..', 'fixtures.ts'), "import { snapshotDb } from 'unforget/golden/vitest'")
    expect(findOrphans(join(file, '..'))).toEqual([])
    writeFileSync(join(file, '..', 'fixtures.ts'), "export { test } from 'node:test'")
    expect(findOrphans(join(file, '..'))).toHaveLength(6)
    expect(orphanhoodOf(goldenPath(file, 'a', null))).toMatch(/no longer loads/)
    for (const golden of findOrphans(join(file, '..'))) removeGolden(golden)
    expect(existsSync(join(file, '..', '__goldens__'))).toBe(false)
  })
})

describe('what would go wrong in silence is refused', () => {
  test('a start golden of which a part is still in its log', async () => {
    const file = await testFile()
    const live = new Database(join(file, '..', 'live.sqlite'))
    live.pragma('journal_mode = WAL')
    live.exec(`${table}; INSERT INTO t VALUES (1, 'only in the log')`)
    await expect(attempt({ testFile: file, golden: 'live.sqlite', seed: undefined }, () => {})).rejects.toMatchObject({
      code: 'CANNOT_READ',
    })
    live.close()
  })

  test.each([[{ 't.v': 'uid' }], [{ v: 'uuid' }], [{ 't.v': undefined }]])('volatile: %j', async (volatile) => {
    const options = { testFile: await testFile(), volatile: volatile as never }
    await expect(attempt(options, () => {})).rejects.toMatchObject({ code: 'BAD_OPTION' })
  })

  test.each([
    [{ goldn: 'start.sqlite' }, 'snapshotDb has no option "goldn"; it has golden, seed, inputs, volatile.'],
    [{ golden: 3 }, 'The option golden of snapshotDb is 3; expected the path of a file.'],
    [{ golden: '' }, 'The option golden of snapshotDb is ""; expected the path of a file.'],
    [{ seed: 'seed.sql' }, 'The option seed of snapshotDb is "seed.sql"; expected a function.'],
    [{ inputs: 'x' }, 'The option inputs of snapshotDb is "x"; expected an array of strings and file URLs.'],
    [{ inputs: [7] }, 'The option inputs of snapshotDb is an array; expected an array of strings and file URLs.'],
    [{ volatile: ['t.v'] }, 'The option volatile of snapshotDb is an array; expected an object such as'],
  ])('%j', async (wrong, sentence) => {
    const file = await testFile()
    const error = await attempt({ testFile: file, ...(wrong as object) }, ours).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'BAD_OPTION', message: expect.stringContaining(sentence) })
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  test('a step or a process that is not named by a text, and options of a process that there are none of', async () => {
    const file = await testFile()
    const bad = { code: 'BAD_OPTION' }
    await attempt({ testFile: file }, async (db) => {
      await expect(db.step(3 as never)).rejects.toMatchObject(bad)
      const steps = new URL('./support/steps.ts', import.meta.url)
      await expect(db.process(3 as never, 'describe')).rejects.toMatchObject(bad)
      await expect(db.process(steps, undefined as never)).rejects.toMatchObject(bad)
      await expect(db.process(steps, 'describe', {}, { killat: 'x' } as never)).rejects.toMatchObject(bad)
      await expect(db.process(steps, 'describe', {}, { deadline: '5' as never })).rejects.toMatchObject(bad)
    })
    expect.assertions(5)
  })

  test('a process that the test does not wait for', async () => {
    const file = await testFile()
    const steps = new URL('./support/steps.ts', import.meta.url)
    const { error } = await attempt({ testFile: file }, (db) => void db.process(steps, 'describe'))
    expect(error).toMatchObject({ code: 'PROCESS_FAILED' })
    expect(existsSync(goldenPath(file, 'remembers', null))).toBe(false)
  })
})

test('where a pending state cannot be written the difference is shown all the same', async () => {
  const file = await testFile()
  await attempt({ testFile: file }, () => {})
  mkdirSync(pendingPath(goldenPath(file, 'remembers', null)))
  const { error } = await attempt({ testFile: file }, (db) => write(db.path, "UPDATE t SET v = 'changed'"))
  expect(error).toMatchObject({ code: 'MISMATCH', mismatches: [{ pending: null }] })
})
