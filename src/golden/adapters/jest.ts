import { beginAttempt, endAttempt, endFile, type Place, placeOf, type SnapshotDbContext } from '../attempt.ts'
import { GoldenError } from '../errors.ts'
import type { UpdateMode } from '../mode.ts'
import type { Verdict } from '../settle-golden.ts'
import type { SnapshotDbConfig } from '../snapshot-db-config.ts'
import { sharedState } from '../system/shared-state.ts'
import { countObsolete, type UncheckedSnapshots } from './count-obsolete.ts'
import { type Assertions, hasAsserted, readJestRun } from './jest-run.ts'

type Declare<Args extends readonly unknown[]> = (
  name: string,
  body: (...args: [...Args, SnapshotDbContext]) => unknown,
  timeout?: number,
) => void

interface Each {
  <const Row extends readonly unknown[]>(table: readonly Row[]): Declare<Row>
  <Row>(table: readonly Row[]): Declare<[row: Row]>
  (headings: TemplateStringsArray, ...values: readonly unknown[]): Declare<[row: Record<string, unknown>]>
}

/** Jest's `test`, whose body gets `{ snapshotDb }`, after the row if there is one. */
export interface SnapshotDbTest extends Declare<[]> {
  readonly each: Each
  readonly only: SnapshotDbTest
  readonly skip: SnapshotDbTest
  readonly failing: SnapshotDbTest
  readonly concurrent: SnapshotDbTest
}

type JestBody = (...row: unknown[]) => Promise<void>
interface JestTest {
  (name: string, body: JestBody, timeout?: number): void
  each(...table: readonly unknown[]): (name: string, body: JestBody, timeout?: number) => void
  readonly only: JestTest
  readonly skip: JestTest
  readonly failing: JestTest
  readonly concurrent: JestTest
}

interface ExpectState extends Assertions {
  readonly testPath: string
  readonly currentTestName: string
  readonly currentConcurrentTestName?: () => string | undefined
  /** Also knows failures outside the body: a timeout, while the body continues. */
  readonly currentTestIdentity?: () => { readonly errors: readonly unknown[] } | undefined
  readonly snapshotState: Record<Verdict, number> & UncheckedSnapshots & { readonly _updateSnapshot: UpdateMode }
  readonly testFailing?: boolean
}

interface JestGlobals {
  readonly test: JestTest
  readonly expect: { getState(): ExpectState }
  afterAll(body: () => void): void
}

const jest = globalThis as unknown as Partial<JestGlobals>
/** Counts only the last attempt of each test: failed ones are retried, and Jest fails a run that counts them. */
const counted = new Map<string, Verdict[]>()
const watch = sharedState('watch', () => ({ isEnding: false }))
let declarations = 0

/**
 * Jest evaluates this module once for each test file, outside of any group, even if only as a setup file. It fails a run whose summary counts
 * something obsolete, so what is to be warned of is not counted.
 */
jest.afterAll?.(() => {
  const { testPath: testFile, snapshotState } = (jest as JestGlobals).expect.getState()
  for (const verdict of [...counted.values()].flat()) snapshotState[verdict]++
  if (watch.isEnding) return
  watch.isEnding = true
  const mode = snapshotState._updateSnapshot
  endFile({ testFile, ...readJestRun(), mode }, (finished) => {
    const isCountable = finished.mode === (mode === 'all' ? 'all' : 'none')
    if (isCountable) countObsolete(snapshotState, testFile, finished.obsolete)
    return false
  })
})

/** `const test = withSnapshotDb({ golden, seed })`: the database is compared with its golden when the body has passed. */
export function withSnapshotDb(config: SnapshotDbConfig = {}): SnapshotDbTest {
  const { test, expect } = jest
  if (test === undefined || expect === undefined) {
    throw new GoldenError('BAD_OPTION', 'unforget/golden/jest works only in Jest test files with globals.')
  }
  return wrap(test, (row, testId, body, place) => attempt(config, expect, row, testId, body, place))
}

type Run = (row: readonly unknown[], testId: string, body: AnyBody, place: Place) => Promise<void>
type AnyBody = (...args: never) => unknown

function wrap(test: JestTest, run: Run): SnapshotDbTest {
  const bodyOf = (body: AnyBody, place: Place): JestBody => {
    const declaration = ++declarations
    const rows: (readonly unknown[])[] = []
    return (...row) => {
      const known = rows.findIndex((other) => row.every((value, index) => Object.is(value, other[index])))
      const testId = `${declaration}.${known === -1 ? rows.push(row) - 1 : known}`
      return run(row, testId, body, place)
    }
  }
  const declare: Declare<[]> = (name, body, timeout) => {
    test(name, bodyOf(body, placeOf(declare)), timeout)
  }
  const each = (table: readonly unknown[], ...values: readonly unknown[]) => {
    const declareRows: Declare<never> = (name, body, timeout) => {
      test.each(table, ...values)(name, bodyOf(body, placeOf(declareRows)), timeout)
    }
    return declareRows
  }
  return Object.defineProperties(declare, {
    each: { value: each },
    only: { get: () => wrap(test.only, run) },
    skip: { get: () => wrap(test.skip, run) },
    failing: { get: () => wrap(test.failing, run) },
    concurrent: { get: () => wrap(test.concurrent, run) },
  }) as SnapshotDbTest
}

async function attempt(
  config: SnapshotDbConfig,
  expect: JestGlobals['expect'],
  row: readonly unknown[],
  testId: string,
  body: AnyBody,
  place: Place,
): Promise<void> {
  const state = expect.getState()
  const { snapshotState, testPath: testFile } = state
  const counts: Verdict[] = []
  const test = state.currentTestIdentity?.()
  const testName = state.currentConcurrentTestName?.() ?? state.currentTestName
  counted.set(testId, state.testFailing === true ? [] : counts)
  const db = await beginAttempt({ ...config, testFile, testName, testId, mode: snapshotState._updateSnapshot })
  let passed = false
  try {
    await (body as (...args: readonly unknown[]) => unknown)(...row, { snapshotDb: db })
    passed = hasAsserted(expect.getState()) && (test?.errors ?? []).length === 0
  } finally {
    await endAttempt(db, passed, (verdict) => counts.push(verdict), place)
  }
}
