import { relative } from 'node:path'
import { type TestContext, type TestOptions, test } from 'node:test'
import { messageOf } from '../../plain/message-of.ts'
import { beginAttempt, endAttempt, endFile, placeOf, type SnapshotDbContext } from '../attempt.ts'
import type { SnapshotDbConfig } from '../snapshot-db-config.ts'
import { sharedState } from '../system/shared-state.ts'
import { filesOf, findNodeTestRun, isPending, type NodeTestRun, readNodeTestRun } from './node-test-run.ts'

export type SnapshotDbBody = (context: SnapshotDbContext, t: TestContext) => unknown

type Declare = (name: string, ...rest: [body: SnapshotDbBody] | [options: TestOptions, body: SnapshotDbBody]) => void

/** The `test` of node:test, whose body gets `{ snapshotDb }`, then the test context. */
export interface SnapshotDbTest extends Declare {
  readonly only: Declare
  readonly skip: Declare
  readonly todo: Declare
}

/** Missing in the types of Node 20; only newer versions have the path. */
interface FullContext extends TestContext {
  readonly passed: boolean
  readonly filePath?: string | undefined
}

/** Worded like the summaries of other runners. */
const words = [
  ['added', 'written'],
  ['matched', 'passed'],
  ['updated', 'updated'],
  ['unmatched', 'failed'],
  ['obsolete', 'obsolete'],
  ['removed', 'removed'],
] as const

const mode = process.execArgv.includes('--test-update-snapshots') ? 'all' : 'new'
const state = sharedState('node-test', () => ({
  isWatching: false,
  isEnded: false,
  declarations: 0,
  files: new Set<string>(),
  counts: { added: 0, matched: 0, updated: 0, unmatched: 0, obsolete: 0, removed: 0 },
}))

/**
 * A process that loads this module looks for unused goldens after its last test. A node:test hook would be too early: it
 * runs as soon as the tests declared so far are done.
 */
if (!state.isWatching) {
  state.isWatching = true
  let run: NodeTestRun | undefined
  process.prependOnceListener('beforeExit', () => {
    run = findNodeTestRun()
    if (run !== undefined && !isPending(run)) end(run, run.diagnostic.bind(run))
  })
  process.once('exit', (code) => end(code === 0 ? (run ?? findNodeTestRun()) : undefined, console.log))
}

/** `const test = withSnapshotDb({ golden, seed })`: the database is compared with its golden when the test has passed. */
export function withSnapshotDb(config: SnapshotDbConfig = {}): SnapshotDbTest {
  const variant = (fixed: TestOptions): Declare => {
    const declare: Declare = (name, ...rest) => {
      const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest
      const testId = String(++state.declarations)
      const place = placeOf(declare)
      void test(name, { ...options, ...fixed }, (t) => attempt(config, t as FullContext, testId, body, place))
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
  state.files.add(testFile)
  const db = await beginAttempt({ ...config, testFile, testName: t.fullName, testId, mode })
  let isSkipped = false
  const skip = t.skip.bind(t)
  t.skip = (message) => {
    isSkipped = true
    skip(message)
  }
  t.after(() => endAttempt(db, t.passed && !isSkipped, (verdict) => state.counts[verdict]++, place))
  await body({ snapshotDb: db }, t)
}

/** If it is unknown what ran, the run counts as incomplete. */
function end(run: NodeTestRun | undefined, show: (line: string) => void): void {
  if (state.isEnded) return
  state.isEnded = true
  for (const testFile of new Set([...state.files, ...(run === undefined ? [] : filesOf(run))])) {
    const outcome = run === undefined ? { complete: false } : readNodeTestRun(run, testFile)
    try {
      endFile({ testFile, ...outcome, mode }, (finished) => {
        state.counts[finished.mode === 'all' ? 'removed' : 'obsolete'] += finished.obsolete.length
        return false
      })
    } catch (error) {
      console.error(messageOf(error))
      process.exitCode = 1
    }
  }
  const shown = words.flatMap(([verdict, word]) =>
    state.counts[verdict] === 0 ? [] : `${state.counts[verdict]} ${word}`,
  )
  if (shown.length > 0) show(`goldens ${shown.join(', ')}${ofWhichFile()}`)
}

/** If each file has its own process, the summaries are merged. */
function ofWhichFile(): string {
  const isOneOfMany = process.env['NODE_TEST_CONTEXT'] !== undefined
  return isOneOfMany ? ` in ${relative(process.cwd(), process.argv[1] ?? '')}` : ''
}
