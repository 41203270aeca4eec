import type { Level, Need } from '../case.ts'
import { type Failure, isUnfinished } from './failure.ts'

/**
 * `not finished`: the case did not end by its deadline, so it is unknown whether the clause holds. `kit failed`: it is unknown as well, and
 * the store is not at fault.
 */
export type CaseStatus = 'passed' | 'failed' | 'not finished' | 'not offered' | 'kit failed'

/** What a failure makes of its case. */
export function statusOf({ kind }: Pick<Failure, 'kind'>): CaseStatus {
  if (kind === 'kit') return 'kit failed'
  return isUnfinished(kind) ? 'not finished' : 'failed'
}

export interface CaseReport {
  readonly id: string
  readonly clause: string
  /** The clause, as docs/contract.md has it. */
  readonly sentence: string
  readonly title: string
  readonly level: Level
  readonly status: CaseStatus
  readonly milliseconds: number
  /** What the case needs and the store does not offer. */
  readonly missing: readonly Need[]
  readonly failure: Failure | null
}

export interface LevelReport {
  readonly level: Level
  /** Whether the store offers what at least one case of the level needs. */
  readonly offered: boolean
  /** How many cases of the level were chosen. */
  readonly cases: number
  readonly passed: number
  readonly failed: number
  readonly notFinished: number
  readonly notOffered: number
  readonly kitFailed: number
  /** What the cases that are not offered need, the most frequent needs first. */
  readonly missing: readonly Need[]
}

/**
 * Of all cases together. `holds`: every case that is offered passed. `broken`: at least one failed. `kit failed`: none failed, but the kit
 * did. `cannot open`: none failed, but not every one got a handle. `not finished`: none failed, but not every one ended in time.
 * `nothing offered`: no case could be run.
 */
export type Verdict = 'holds' | 'broken' | 'kit failed' | 'cannot open' | 'not finished' | 'nothing offered'

/** What was proved, as plain data. */
export interface Report {
  /** The version of unforget. */
  readonly kit: string
  readonly node: string
  readonly platform: string
  readonly store: {
    readonly name: string
    /** How to name it to `unforget prove`. */
    readonly target: string
    readonly methods: readonly string[]
    readonly capabilities: readonly string[]
  }
  readonly seed: number
  /** Of each case, in milliseconds. */
  readonly deadline: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly milliseconds: number
  readonly verdict: Verdict
  readonly levels: readonly LevelReport[]
  readonly cases: readonly CaseReport[]
  /** Notes in addition to the cases, in sentences. */
  readonly notes: readonly string[]
}

/**
 * 0: what is offered holds. 1: a clause is broken. 2: the store could not be opened, or offers nothing. 3: the kit failed. 4: a case did not
 * finish, and none is broken.
 */
export const exitCodes = {
  holds: 0,
  broken: 1,
  'cannot open': 2,
  'nothing offered': 2,
  'kit failed': 3,
  'not finished': 4,
} as const satisfies Record<Verdict, number>
