import { type TestContext, type TestOptions, test } from 'node:test'
import { beginAttempt, endAttempt, endFile, placeOf, type SnapshotDbContext } from '../attempt.ts'
import { DeclaredTests } from '../declared-tests.ts'
import { messageOf } from '../errors.ts'
import type { SnapshotDbConfig } from '../snapshot-db.ts'

export type SnapshotDbBody = (context: SnapshotDbContext, t: TestContext) => unknown

type Declare = (name: string, ...rest: [body: SnapshotDbBody] | [options: TestOptions, body: SnapshotDbBody]) => void

/** The `test` of node:test, whose body is given `{ snapshotDb }` and then the test's own context. */
export interface SnapshotDbTest extends Declare {
  readonly only: Declare
  readonly skip: Declare
  readonly todo: Declare
}

/** What the types of Node 20 do not know; the path only newer versions have. */
interface FullContext extends TestContext {
  readonly passed: boolean
  readonly filePath?: string | undefined
}

/** As other runners' summaries have it. */
const words = [
  ['added', 'written'],
  ['matched', 'passed'],
  ['updated', 'updated'],
  ['unmatched', 'failed'],
] as const

const mode = process.execArgv.includes('--test-update-snapshots') ? 'all' : 'new'
const declared = new DeclaredTests()
const files = new Set<string>()

/** `const test = withSnapshotDb({ golden, seed })`: the database is compared with its golden when the test has passed. */
export function withSnapshotDb(config: SnapshotDbConfig = {}): SnapshotDbTest {
  const variant = (fixed: TestOptions): Declare => {
    const declare: Declare = (name, ...rest) => {
      const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest
      const all = { ...options, ...fixed }
      const isSkipped = all.skip !== undefined && all.skip !== false
      const testId = isSkipped ? declared.skip(name) : declared.declare()
      const place = placeOf(declare)
      void test(name, all, (t) => attempt(config, t as FullContext, testId, body, place))
    }
    return declare
  }
  return Object.assign(variant({}), {
    only: variant({ only: true }),
    skip: variant({ skip: true }),
    todo: variant({ todo: true }),
  })
}

async function attempt(
  config: SnapshotDbConfig,
  t: FullContext,
  testId: string,
  body: SnapshotDbBody,
  place: string,
): Promise<void> {
  const testFile = t.filePath ?? process.argv[1] ?? ''
  declared.begin(testId)
  watch(testFile)
  const db = await beginAttempt({ ...config, testFile, testName: t.fullName, testId, mode })
  let isSkipped = false
  const skip = t.skip.bind(t)
  t.skip = (message) => {
    isSkipped = true
    skip(message)
  }
  t.after(async () => {
    const counts = { added: 0, matched: 0, updated: 0, unmatched: 0 }
    try {
      await endAttempt(db, t.passed && !isSkipped, (verdict) => counts[verdict]++, place)
    } finally {
      const shown = words.flatMap(([verdict, word]) => (counts[verdict] === 0 ? [] : `${counts[verdict]} ${word}`))
      if (shown.length > 0) t.diagnostic(`goldens: ${shown.join(', ')}`)
    }
  })
  await body({ snapshotDb: db }, t)
}

/** Registered while a test runs, so that it is called after the runner has told by the exit code whether all was well. */
function watch(testFile: string): void {
  if (files.size === 0) process.once('exit', endFiles)
  files.add(testFile)
}

function endFiles(code: number): void {
  for (const testFile of files) {
    try {
      const { complete, skippedTests } = declared.outcome(testFile)
      endFile({ testFile, complete: complete && code === 0, skippedTests, mode })
    } catch (error) {
      console.error(messageOf(error))
      process.exitCode = 1
    }
  }
}
