import type { ProveProgress } from '../../conformance/prove.ts'
import type { CaseReport } from '../../conformance/report/report.ts'

/** Shows the progress of a proof. */
export interface ProveView extends Disposable {
  /** Before each case. */
  begin(progress: ProveProgress): void
  /** After each case. */
  end(one: CaseReport): void | Promise<void>
}

/** Tracks what a proof is doing, and for how long. */
export class ProveWatch {
  #what = 'opening the store'
  #since = performance.now()

  /** The id of the running case, or the step before the first and after the last one. */
  get what(): string {
    return this.#what
  }

  get seconds(): number {
    return Math.floor((performance.now() - this.#since) / 1000)
  }

  begin(what: string): void {
    this.#what = what
    this.#since = performance.now()
  }

  end(): void {
    this.begin('ending the process of the store')
  }

  toString(): string {
    return `${this.#what} (${this.seconds} s)`
  }
}
