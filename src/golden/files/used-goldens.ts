import { quoteVisibly } from '../../plain/visible-text.ts'
import { GoldenError } from '../errors.ts'
import { sharedState } from '../system/shared-state.ts'
import { removeGolden } from './golden-files.ts'
import { goldenPath } from './golden-names.ts'

interface KnownTest {
  readonly id: string
  readonly goldens: Set<string>
  /** Goldens created by this run. */
  readonly added: Set<string>
  isSettled: boolean
  isShared: boolean
}

/** What the tests of a file that ran in this process used. */
export class UsedGoldens {
  readonly #testFile: string
  readonly #tests = new Map<string, KnownTest>()

  constructor(testFile: string) {
    this.#testFile = testFile
  }

  /** Called for every attempt; a retry has the id of the first. If two tests have the same name, what the first one wrote is undone. */
  begin(testName: string, testId: string): void {
    const known = this.#tests.get(testName)
    if (known !== undefined && known.id !== testId) {
      known.isShared = true
      for (const golden of known.added) removeGolden(golden)
      known.added.clear()
      throw this.#nameTaken(testName)
    }
    this.#tests.set(testName, {
      id: testId,
      goldens: new Set([goldenPath(this.#testFile, testName, null)]),
      added: known?.added ?? new Set(),
      isSettled: false,
      isShared: false,
    })
  }

  /** Throws if another test has taken the same name meanwhile. */
  requireOwnName(testName: string): void {
    if (this.#tests.get(testName)?.isShared === true) throw this.#nameTaken(testName)
  }

  add(testName: string, golden: string): void {
    this.#tests.get(testName)?.added.add(golden)
  }

  use(testName: string, step: string): string {
    const golden = goldenPath(this.#testFile, testName, step)
    const goldens = this.#tests.get(testName)?.goldens
    if (goldens?.has(golden)) {
      throw new GoldenError(
        'NAME_TAKEN',
        `Two steps of ${quoteVisibly(testName)} are named ${quoteVisibly(step)}. Give each its own name.`,
      )
    }
    goldens?.add(golden)
    return golden
  }

  /** The test passed, so all its goldens are known. Goldens of other tests may still be needed. */
  settle(testName: string): void {
    const known = this.#tests.get(testName)
    if (known !== undefined) known.isSettled = true
  }

  get goldens(): string[] {
    return [...this.#tests.values()].flatMap(({ goldens }) => [...goldens])
  }

  get unsettledTests(): string[] {
    return [...this.#tests].filter(([, { isSettled }]) => !isSettled).map(([name]) => name)
  }

  #nameTaken(testName: string): GoldenError {
    return new GoldenError(
      'NAME_TAKEN',
      `Two tests of ${this.#testFile} are named ${quoteVisibly(testName)}, so they would share one golden. Give each its own name (in test.each, put a parameter into it).`,
    )
  }
}

const files = sharedState('used', () => new Map<string, UsedGoldens>())

export function usedGoldens(testFile: string): UsedGoldens {
  const known = files.get(testFile) ?? new UsedGoldens(testFile)
  files.set(testFile, known)
  return known
}

export const forgetUsedGoldens = (testFile: string): boolean => files.delete(testFile)
