/** An entry as the checker sees it: its kind and the text that makes it unique. */
export interface Item {
  readonly kind: 'message' | 'toolCall' | 'summary' | 'record'
  readonly text: string
}

/** The conditions that any write may carry. */
export interface Conditions {
  readonly ifVersion?: string | null
  readonly ifEpoch?: string | null
}

/** What a process asked for. Everything needed to ask for it again from another process. */
export type Call =
  | (Conditions & { readonly method: 'append'; readonly items: readonly Item[] })
  | (Conditions & { readonly method: 'trim'; readonly keep: number })
  | (Conditions & { readonly method: 'compact'; readonly keep: number })
  | (Conditions & { readonly method: 'clear' })
  | (Conditions & { readonly method: 'describe'; readonly title: string })
  | (Conditions & { readonly method: 'saveSnapshot'; readonly snapshot: string })
  | (Conditions & { readonly method: 'deleteSnapshot'; readonly snapshot: string })
  | (Conditions & { readonly method: 'rollback'; readonly snapshot: string })
  | (Conditions & {
      readonly method: 'rewind'
      readonly to?: number
      readonly before?: number
      readonly add?: readonly string[]
      readonly snapshot?: string
    })
  | { readonly method: 'fork'; readonly target: string; readonly ifVersion: string }
  | { readonly method: 'import'; readonly target: string }
  | { readonly method: 'delete'; readonly ifVersion: string }
  | { readonly method: 'read'; readonly at?: string; readonly last?: number }
  | { readonly method: 'listSnapshots' }
  | { readonly method: 'paths' }
  | { readonly method: 'recall' }
  | { readonly method: 'verify' }
  | { readonly method: 'sweep' }

export type Method = Call['method']

/** What came back, with only what is checked. */
export interface Result {
  readonly version?: string | null
  readonly epoch?: string | null
  /** Of what was appended or read. */
  readonly seqs?: readonly number[]
  /** Of what was read, in the same order. */
  readonly items?: readonly Item[]
  /** How many messages were cut. */
  readonly count?: number
  /** The seqs that a rewind cut. */
  readonly removed?: readonly number[]
  /** Of a compaction's summary. */
  readonly seq?: number | null
  readonly leftBehind?: string
  /** The saved snapshots, automatic ones left out, and how many entries each reads. */
  readonly snapshots?: readonly (readonly [id: string, entries: number])[]
  readonly end?: number
  readonly ok?: boolean
  readonly deleted?: boolean
}

/**
 * - `ok`: done, with its result.
 * - `refused`: the error says that nothing was written.
 * - `unknown`: the error says that it may have been written.
 * - `gone`: done earlier; its result no longer exists.
 * - `untyped`: an error that no caller could branch on.
 */
export type Outcome =
  | { readonly is: 'ok'; readonly result: Result }
  | { readonly is: 'refused' | 'unknown' | 'gone' | 'untyped'; readonly code: string; readonly message?: string }

/** One attempt of one process. Times are microseconds of the machine's monotonic clock. */
export interface Attempt {
  readonly process: string
  readonly invoked: number
  /** `null` if the process ended before it had an answer. */
  readonly returned: number | null
  readonly outcome: Outcome | null
}

/** One operation on one session, with every attempt that any process made. */
export interface Operation {
  readonly id: string
  readonly session: string
  readonly call: Call
  /** The turn that it was made through. */
  readonly turn?: string
  readonly attempts: readonly Attempt[]
}

/** What the checker found wrong. */
export interface Violation {
  readonly rule: string
  readonly session: string
  /** The ids of the operations that show it. */
  readonly operations: readonly string[]
  readonly message: string
  /** False if the operations alone show it, whatever else was written. */
  readonly needsWrites: boolean
}

const writes: ReadonlySet<Method> = new Set<Method>([
  'append',
  'trim',
  'compact',
  'clear',
  'describe',
  'saveSnapshot',
  'deleteSnapshot',
  'rollback',
  'rewind',
])

/** Whether it commits to its session, under a place in the order of versions. */
export function isWrite({ call }: Operation): boolean {
  return writes.has(call.method)
}

/** A version in its parts. The counter orders the commits of one incarnation of a session. */
export interface Place {
  readonly birth: string
  readonly counter: number
  readonly nonce: string
}

export function placeOf(version: string): Place {
  const [birth = '', counter = '', nonce = ''] = version.split('.')
  return { birth, counter: Number(counter), nonce }
}

/**
 * The attempts that carried it out. A write that found no session and began none changed nothing and is not remembered: the same again later is
 * another one.
 */
export function answersOf(operation: Operation): { readonly returned: number; readonly result: Result }[] {
  const all = operation.attempts.flatMap(({ returned, outcome }) =>
    outcome?.is === 'ok' && returned !== null ? [{ returned, result: outcome.result }] : [],
  )
  const committed = all.filter(({ result }) => result.version !== null)
  return isWrite(operation) && committed.length > 0 ? committed : all
}

/** From the first invocation to the first answer: the time in which it was applied, if it was. */
export function spanOf(operation: Operation): { readonly from: number; readonly to: number } {
  return {
    from: Math.min(...operation.attempts.map(({ invoked }) => invoked)),
    to: Math.min(Infinity, ...answersOf(operation).map(({ returned }) => returned)),
  }
}

/** The first result. */
export function resultOf(operation: Operation): Result | null {
  return answersOf(operation)[0]?.result ?? null
}

/** No attempt has a result, not every attempt says that nothing was written, and the store did not deny it at the end. */
export function mayBeApplied(operation: Operation): boolean {
  const outcomes = operation.attempts.map(({ outcome }) => outcome)
  const isDenied = outcomes.some((outcome) => outcome?.is === 'refused' && outcome.code === 'NOT_REMEMBERED')
  return (
    isWrite(operation) &&
    resultOf(operation) === null &&
    !isDenied &&
    outcomes.some((outcome) => outcome?.is !== 'refused')
  )
}
