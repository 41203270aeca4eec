import { GoldenError } from './errors.ts'
import { goldenPath } from './golden-names.ts'

interface KnownTest {
  readonly id: string
  readonly goldens: Set<string>
  isSettled: boolean
}

/** What the tests of a file that ran in this process used. */
export class UsedGoldens {
  readonly #testFile: string
  readonly #tests = new Map<string, KnownTest>()

  constructor(testFile: string) {
    this.#testFile = testFile
  }

  /** Called for every attempt: a retry has the id of the first. */
  begin(testName: string, testId: string): void {
    const known = this.#tests.get(testName)
    if (known !== undefined && known.id !== testId) {
      throw new GoldenError(
        'NAME_TAKEN',
        `Two tests of ${this.#testFile} are named ${JSON.stringify(testName)}, so they would share one golden. Give each a name of its own (in test.each, put a parameter into it).`,
      )
    }
    this.#tests.set(testName, {
      id: testId,
      goldens: new Set([goldenPath(this.#testFile, testName, null)]),
      isSettled: false,
    })
  }

  use(testName: string, step: string): string {
    const golden = goldenPath(this.#testFile, testName, step)
    const goldens = this.#tests.get(testName)?.goldens
    if (goldens?.has(golden)) {
      throw new GoldenError(
        'NAME_TAKEN',
        `Two steps of ${JSON.stringify(testName)} are named ${JSON.stringify(step)}. Give each a name of its own.`,
      )
    }
    goldens?.add(golden)
    return golden
  }

  /** The test passed: all its goldens are known. Of others, any may still be needed. */
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
}

const files = new Map<string, UsedGoldens>()

export function usedGoldens(testFile: string): UsedGoldens {
  const known = files.get(testFile) ?? new UsedGoldens(testFile)
  files.set(testFile, known)
  return known
}

export const forgetUsedGoldens = (testFile: string): boolean => files.delete(testFile)
