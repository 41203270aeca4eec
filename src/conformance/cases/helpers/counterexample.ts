import { AssertionError } from 'node:assert/strict'

/** A program, as short as could be found, after which a store does not read as it must. */
export class Counterexample extends AssertionError {
  /** The program as code, which a person can read and run. */
  readonly program: string

  constructor(program: string, about: string, found: { expected: unknown; actual: unknown }) {
    super({ message: about, expected: found.expected, actual: found.actual, operator: 'same' })
    this.program = program
  }
}
