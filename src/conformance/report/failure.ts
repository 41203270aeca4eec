/**
 * Whose fault it is: `broken`, the clause does not hold; `hung`, the case did not end by its deadline; `died`, the process ended under it;
 * `cannot open`, the store gave no handle; `kit`, ours and not the store's.
 */
export type FailureKind = 'broken' | 'hung' | 'died' | 'cannot open' | 'kit'

export interface Failure {
  readonly kind: FailureKind
  /** What went wrong, in a sentence. */
  readonly message: string
  /** What was expected and what was seen, printed; `null` if the message says it all. */
  readonly expected: string | null
  readonly actual: string | null
  /** For a random program: the shortest that fails, as code. */
  readonly program: string | null
  /** The newest calls that the case made. */
  readonly calls: readonly string[]
  readonly stack: string | null
}
