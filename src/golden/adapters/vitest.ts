import { expect, type RunnerTask, type RunnerTestCase, type TestContext, TestRunner } from 'vitest'
import { beginAttempt, endAttempt, endFile } from '../attempt.ts'
import type { SnapshotDb, SnapshotDbConfig } from '../snapshot-db.ts'

export type SnapshotDbFixture = (
  context: Pick<TestContext, 'task' | 'onTestFinished'>,
  use: (snapshotDb: SnapshotDb) => Promise<void>,
) => Promise<void>

type TestFile = RunnerTestCase['file']

/** Set by Vitest in its workers. */
interface WorkerGlobal {
  __vitest_worker__?: { config?: { testNamePattern?: RegExp } }
}

const watched = new WeakSet<TestFile>()

/**
 * A fixture: `test.extend({ snapshotDb: snapshotDb({ golden, seed }) })`. Each test that asks for it gets a database of its own, which is
 * compared with its golden when the test has passed, after all other fixtures and hooks.
 */
export function snapshotDb(config: SnapshotDbConfig = {}): SnapshotDbFixture {
  return async ({ task, onTestFinished }, use) => {
    const { snapshotState } = expect.getState()
    const mode = snapshotState.snapshotUpdateState
    watch(task.file, mode)
    const db = await beginAttempt({
      ...config,
      testFile: task.file.filepath,
      testName: task.fullTestName,
      testId: task.id,
      mode,
    })
    onTestFinished(() =>
      endAttempt(db, task.result?.state === 'pass', (verdict) => snapshotState[verdict].increment(task.id)),
    )
    await use(db)
  }
}

/** A fixture cannot declare a hook of its file; the file's list of them can be added to until it is run. */
function watch(file: TestFile, mode: 'all' | 'new' | 'none'): void {
  if (watched.has(file)) return
  watched.add(file)
  TestRunner.getSuiteHooks(file).afterAll.push(() => {
    const { testNamePattern } = (globalThis as WorkerGlobal).__vitest_worker__?.config ?? {}
    endFile({
      testFile: file.filepath,
      complete: testNamePattern === undefined,
      skippedTests: testsOf(file)
        .filter((test) => test.result?.state !== 'pass')
        .map(({ fullTestName }) => fullTestName),
      mode,
    })
  })
}

function testsOf(task: RunnerTask): RunnerTestCase[] {
  return task.type === 'test' ? [task] : task.tasks.flatMap(testsOf)
}
