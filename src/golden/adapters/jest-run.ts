/** The part of a Jest test that tells whether it ran. */
interface CircusTest {
  readonly type: 'test'
  readonly name: string
  readonly status?: string | null
  readonly errors: readonly unknown[]
}

interface CircusBlock {
  readonly type: 'describeBlock'
  readonly name: string
  readonly children: readonly (CircusTest | CircusBlock)[]
}

interface CircusState {
  readonly testNamePattern?: unknown
  readonly rootDescribeBlock: CircusBlock
}

/** The assertions a test body made, and how many it announced. */
export interface Assertions {
  readonly suppressedErrors?: readonly unknown[]
  readonly assertionCalls: number
  readonly isExpectingAssertions: boolean
  readonly expectedAssertionsNumber: number | null
}

/** What Jest checks after a test body. */
export function hasAsserted(state: Assertions): boolean {
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions, suppressedErrors = [] } = state
  if (suppressedErrors.length > 0 || (isExpectingAssertions && assertionCalls === 0)) return false
  return expectedAssertionsNumber === null || expectedAssertionsNumber === assertionCalls
}

/** For `finishFile`: whether the run includes every test of the file, and which did not pass. Unknown counts as incomplete. */
export function readJestRun(): { complete: boolean; skippedTests: readonly string[] } {
  const state = circusState()
  if (state === undefined) return { complete: false, skippedTests: [] }
  const { testNamePattern, rootDescribeBlock } = state
  return {
    complete: testNamePattern === undefined || testNamePattern === null,
    skippedTests: rootDescribeBlock.children.flatMap((child) => unpassedIn(child, [])),
  }
}

function unpassedIn(child: CircusTest | CircusBlock, groups: readonly string[]): string[] {
  const names = [...groups, child.name]
  if (child.type === 'describeBlock') return child.children.flatMap((inner) => unpassedIn(inner, names))
  return child.status === 'done' && child.errors.length === 0 ? [] : [names.join(' ')]
}

/** Jest keeps the state of its runner under a symbol that it does not export. */
function circusState(): CircusState | undefined {
  const slot = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  const state = slot && (globalThis as { [slot: symbol]: Partial<CircusState> | undefined })[slot]
  return state?.rootDescribeBlock === undefined ? undefined : (state as CircusState)
}
