import type { Committed } from '../../core/backend.ts'

interface Result {
  readonly session: string
  /** `null`: nobody can tell whether it was applied. */
  readonly committed: Committed | null
  /** Of an operation with the same id on another session. */
  readonly next: Result | undefined
}

/** Results of operations, by their sessions and ids. Ids are nearly always unique, so that no key has to be put together. */
export class OperationResults {
  readonly #results = new Map<string, Result>()

  /** How many ids there are. */
  get size(): number {
    return this.#results.size
  }

  get(session: string, operation: string): Committed | null | undefined {
    let result = this.#results.get(operation)
    while (result !== undefined && result.session !== session) result = result.next
    return result?.committed
  }

  add(session: string, operation: string, committed: Committed | null): void {
    this.#results.set(operation, { session, committed, next: this.#results.get(operation) })
  }

  /** Those of another one. If it is unknown whether they were applied, nobody can tell. */
  addAll(other: OperationResults, outcome: 'applied' | 'unknown'): void {
    for (const [operation, last] of other.#results) {
      for (let result: Result | undefined = last; result !== undefined; result = result.next) {
        this.add(result.session, operation, outcome === 'applied' ? result.committed : null)
      }
    }
  }
}
