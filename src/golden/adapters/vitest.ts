import { existsSync } from 'node:fs'
import { expect, type RunnerTask, type RunnerTestCase, type TestContext, TestRunner } from 'vitest'
import { beginAttempt, endAttempt, endFile } from '../attempt.ts'
import { goldenFolder } from '../files/golden-names.ts'
import { leadsToGoldens } from '../files/leads-to-goldens.ts'
import type { SnapshotDb } from '../snapshot-db.ts'
import type { SnapshotDbConfig } from '../snapshot-db-config.ts'
import { sharedState } from '../system/shared-state.ts'
import { countObsolete } from './count-obsolete.ts'

export type SnapshotDbFixture = (
  context: Pick<TestContext, 'task' | 'onTestFinished'>,
  use: (snapshotDb: SnapshotDb) => Promise<void>,
) => Promise<void>

type TestFile = RunnerTestCase['file']

/** The filters that exclude tests. A configuration has only the first; a requested file can have all. */
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
    readonly config?: Filters & { readonly setupFiles?: readonly string[] }
    readonly ctx?: { readonly files?: readonly (Filters & { readonly filepath?: string })[] }
  }
}

const worker = () => (globalThis as WorkerGlobal).__vitest_worker__
const state = sharedState('vitest', () => ({ isListening: false, watched: new WeakSet<TestFile>() }))

/**
 * Every file that loads this module, even if only as a setup file, is checked for unused goldens. Files may share a
 * worker, which loads it once, so Vitest's runner announces each file before it runs.
 */
if (!state.isListening && worker() !== undefined) {
  state.isListening = true
  const { onBeforeRunSuite } = TestRunner.prototype
  TestRunner.prototype.onBeforeRunSuite = async function (suite) {
    await onBeforeRunSuite.call(this, suite)
    if (suite.file === suite && mayLoad(suite.file)) watch(suite.file)
  }
}

/**
 * A fixture: `test.extend({ snapshotDb: snapshotDb({ golden, seed }) })`. Each test that uses it gets its own database, which is
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

/** Whether a file with goldens loads this module, as far as can be told. What other files of its worker load does not count. */
function mayLoad({ filepath }: TestFile): boolean {
  if (!existsSync(goldenFolder(filepath))) return false
  const setupFiles = worker()?.config?.setupFiles ?? []
  return [filepath, ...setupFiles].some((path) => !existsSync(path) || leadsToGoldens(path))
}

/** Hooks can be added to a file until they run. */
function watch(file: TestFile): void {
  if (state.watched.has(file)) return
  state.watched.add(file)
  TestRunner.getSuiteHooks(file)?.afterAll.push(() => end(file))
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
