import { afterAll, expect, type RunnerTask, type RunnerTestCase, type TestContext, TestRunner } from 'vitest'
import { beginAttempt, endAttempt, endFile } from '../attempt.ts'
import { sharedState } from '../shared-state.ts'
import type { SnapshotDb, SnapshotDbConfig } from '../snapshot-db.ts'
import { countObsolete } from './count-obsolete.ts'

export type SnapshotDbFixture = (
  context: Pick<TestContext, 'task' | 'onTestFinished'>,
  use: (snapshotDb: SnapshotDb) => Promise<void>,
) => Promise<void>

type TestFile = RunnerTestCase['file']

/** What leaves tests out. A configuration has the first, a file that was asked for all. */
interface Filters {
  readonly testNamePattern?: unknown
  readonly tagsFilter?: unknown
  readonly testTagsFilter?: unknown
  readonly testLocations?: unknown
  readonly testIds?: unknown
}

/** Set by Vitest in its workers. */
interface WorkerGlobal {
  __vitest_worker__?: {
    readonly config?: Filters
    readonly ctx?: { readonly files?: readonly (Filters & { readonly filepath?: string })[] }
    readonly current?: RunnerTask | undefined
  }
}

const worker = () => (globalThis as WorkerGlobal).__vitest_worker__
const watched = sharedState('watched', () => new WeakSet<TestFile>())

/** A file that loads this module, be it as a setup file only, is asked for goldens that none of its tests uses any more. */
const loading = worker()?.current
if (loading !== undefined && 'filepath' in loading && loading.tasks.length === 0) {
  watched.add(loading)
  afterAll(() => end(loading))
}

/**
 * A fixture: `test.extend({ snapshotDb: snapshotDb({ golden, seed }) })`. Each test that asks for it gets a database of its own, which is
 * compared with its golden when the test has passed, after all other fixtures and hooks.
 */
export function snapshotDb(config: SnapshotDbConfig = {}): SnapshotDbFixture {
  return async ({ task, onTestFinished }, use) => {
    const { snapshotState } = expect.getState()
    watch(task.file)
    const db = await beginAttempt({
      ...config,
      testFile: task.file.filepath,
      testName: task.fullTestName,
      testId: task.id,
      mode: snapshotState.snapshotUpdateState,
    })
    onTestFinished(() =>
      endAttempt(db, task.result?.state === 'pass', (verdict) => snapshotState[verdict].increment(task.id)),
    )
    await use(db)
  }
}

/** For files that share this module with others. A fixture cannot declare a hook of its file; the list of them can be added to until it is run. */
function watch(file: TestFile): void {
  if (watched.has(file)) return
  watched.add(file)
  TestRunner.getSuiteHooks(file).afterAll.push(() => end(file))
}

function end(file: TestFile): void {
  const { snapshotState } = expect.getState()
  if (snapshotState?.testFilePath !== file.filepath) return
  const skipped = testsOf(file).filter((test) => test.result?.state !== 'pass')
  const mode = snapshotState.snapshotUpdateState
  const skippedTests = skipped.map(({ fullTestName }) => fullTestName)
  endFile({ testFile: file.filepath, complete: isWhole(file), skippedTests, mode }, (finished) => {
    if ((finished.mode === 'all') !== (mode === 'all')) return false
    countObsolete(snapshotState, file.filepath, finished.obsolete)
    return mode === 'none'
  })
}

function isWhole(file: TestFile): boolean {
  const { config = {}, ctx } = worker() ?? {}
  const asked = ctx?.files?.find(({ filepath }) => filepath === file.filepath) ?? {}
  return [config, asked].every(({ testNamePattern, tagsFilter, testTagsFilter, testLocations, testIds }) =>
    [testNamePattern, tagsFilter, testTagsFilter, testLocations, testIds].every(
      (filter) => filter === undefined || filter === null || (Array.isArray(filter) && filter.length === 0),
    ),
  )
}

function testsOf(task: RunnerTask): RunnerTestCase[] {
  return task.type === 'test' ? [task] : task.tasks.flatMap(testsOf)
}
