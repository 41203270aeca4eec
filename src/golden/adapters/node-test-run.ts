import { executionAsyncResource } from 'node:async_hooks'
import { before } from 'node:test'
import { goldensIn } from '../files/golden-files.ts'
import { goldenFolder } from '../files/golden-names.ts'
import { readSubject } from '../files/report.ts'

/** The part of a node:test test or suite that tells whether it ran. */
interface NodeTask {
  readonly name: string
  readonly finished: boolean
  readonly passed: boolean
  readonly skipped: boolean
  readonly isTodo?: boolean
  /** Excluded from the run. Node 20 reports it as skipped. */
  readonly filtered?: boolean
  /** Missing in Node 20. */
  readonly entryFile?: string
  readonly subtests: readonly NodeTask[]
}

/** The root of everything declared in this process. Its diagnostics are lines of the summary. */
export interface NodeTestRun extends NodeTask {
  diagnostic(message: string): void
}

const filters = /--(experimental-)?test-(name-pattern|skip-pattern|only|tag-filter|rerun-failures)\b/
const isForcedToExit = process.execArgv.includes('--test-force-exit')

/**
 * In a hook, this is the hook, which knows the tests. Undefined if node:test has nothing to do, as in a process that a test started: a
 * hook would make it report. Also undefined if Node does not expose it.
 */
export function findNodeTestRun(): NodeTestRun | undefined {
  const isRunning = process.listeners('beforeExit').some(({ name }) => name === 'exitHandler')
  if (!isRunning && !isForcedToExit) return undefined
  const found: { run?: NodeTestRun | undefined } = {}
  before(() => {
    found.run = (executionAsyncResource() as { parentTest?: { root?: NodeTestRun } }).parentTest?.root
  })
  return found.run
}

export const isPending = ({ subtests }: NodeTestRun): boolean => subtests.some(({ finished }) => !finished)

const fileOf = ({ entryFile = '' }: NodeTask): string => (entryFile === '' ? (process.argv[1] ?? '') : entryFile)

/** The files that have tests. A test file that a test starts as a plain process has none. */
export const filesOf = ({ subtests }: NodeTestRun): string[] => [...new Set(subtests.map(fileOf))]

/** For `finishFile`: whether the run includes every test of the file, and which did not pass, by the names in their reports. */
export function readNodeTestRun(
  { subtests }: NodeTestRun,
  testFile: string,
): { complete: boolean; skippedTests: readonly string[] } {
  const isAskedForAll = ![...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((flag) => filters.test(flag))
  const isWell = subtests.every(({ passed, isTodo }) => passed || isTodo === true)
  const complete = isAskedForAll && isWell && !subtests.some(isFiltered)
  const unpassed = subtests.filter((task) => fileOf(task) === testFile).flatMap((task) => unpassedIn(task, ''))
  if (unpassed.length === 0) return { complete, skippedTests: [] }
  const subjects = goldensIn(goldenFolder(testFile)).map(readSubject)
  const names = subjects.flatMap((subject) => subject?.test ?? [])
  return {
    complete: complete && names.length === subjects.length,
    skippedTests: names.filter((name) => unpassed.some((task) => name === task || name.startsWith(`${task} > `))),
  }
}

const isFiltered = ({ filtered, subtests }: NodeTask): boolean => filtered === true || subtests.some(isFiltered)

function unpassedIn({ name, passed, skipped, subtests }: NodeTask, groups: string): string[] {
  const fullName = `${groups}${name}`
  if (skipped || !passed) return [fullName]
  return subtests.flatMap((task) => unpassedIn(task, `${fullName} > `))
}
