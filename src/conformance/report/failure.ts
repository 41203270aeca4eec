/**
 * Whose fault it is: `broken`, the clause does not hold; `died`, the process ended under the case; `cannot open`, the store gave no handle;
 * `kit`, ours and not the store's. A case that did not end by its deadline says nothing about the clause: `slow`, calls were still being
 * answered; `hung`, none was for at least half of the time.
 */
export type FailureKind = 'broken' | 'slow' | 'hung' | 'died' | 'cannot open' | 'kit'

/** Whether it is unknown if the clause holds, because there was not enough time. */
export function isUnfinished(kind: FailureKind): boolean {
  return kind === 'slow' || kind === 'hung'
}

export interface Failure {
  readonly kind: FailureKind
  /** What went wrong, in a sentence. */
  readonly message: string
  /** What was expected and what was seen, printed; `null` if the message says it all. */
  readonly expected: string | null
  readonly actual: string | null
  /** For a random program: the shortest that fails, as code. */
  readonly program: string | null
  /** The session that it is about; `null` if that is not known. */
  readonly session: string | null
  /** The newest calls that the case made; those to the session, where it is known. */
  readonly calls: readonly string[]
  /** For a case that did not finish: a deadline to try, in milliseconds. */
  readonly suggestedDeadline: number | null
  readonly stack: string | null
}

/** The details of a failure that nothing is known about but its message. */
export const nothingKnown: Omit<Failure, 'kind' | 'message'> = {
  expected: null,
  actual: null,
  program: null,
  session: null,
  calls: [],
  suggestedDeadline: null,
  stack: null,
}
