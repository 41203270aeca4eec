import { goldensIn } from './golden-files.ts'
import { goldenFolder } from './golden-names.ts'
import { readSubject } from './report.ts'

/** For adapters of runners that do not show which tests a file has: tells whether all that were declared ran. */
export class DeclaredTests {
  #declared = 0
  #calls = 0
  readonly #begun = new Set<string>()
  readonly #skipped: string[] = []

  /** Counts tests, and returns what is different for each declaration. */
  declare(count = 1): string {
    this.#declared += count
    this.#calls++
    return String(this.#calls)
  }

  /** As `declare`, for a test that is to be skipped. Which groups are around it is not known. */
  skip(title: string): string {
    this.#skipped.push(title)
    return this.declare(0)
  }

  /** Called for every attempt, with an id that is the same for all of a test. */
  begin(testId: string): void {
    this.#begun.add(testId)
  }

  /** For `finishFile`. The full names of skipped tests are those that the file's reports have. */
  outcome(testFile: string): { complete: boolean; skippedTests: readonly string[] } {
    const complete = this.#begun.size >= this.#declared
    if (this.#skipped.length === 0) return { complete, skippedTests: [] }
    const subjects = goldensIn(goldenFolder(testFile)).map(readSubject)
    const names = subjects.flatMap((subject) => subject?.test ?? [])
    return {
      complete: complete && names.length === subjects.length,
      skippedTests: names.filter((name) => this.#skipped.some((title) => name.endsWith(title))),
    }
  }
}
