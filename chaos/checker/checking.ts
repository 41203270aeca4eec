import type { Operation } from './history.ts'
import type { State } from './state.ts'

export interface CheckOptions {
  /** Reads may show writes that were not acknowledged and are lost with the server: a failover loses those. */
  readonly mayLoseUnacknowledged?: boolean
}

/** One life of a session: from its first write to its deletion. */
export interface Life {
  readonly birth: string
  /** By the counter of the version; the first is the state before the first commit. */
  readonly states: readonly State[]
}

export type Report = (rule: string, culprits: readonly Operation[], message: string, needsWrites?: boolean) => unknown
