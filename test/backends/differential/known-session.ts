import type { KeptEpoch } from '../../../src/core/backend.ts'
import type { SessionState } from '../../../src/core/session-state.ts'

/** What a run knows of one session on one backend. */
export interface Known {
  readonly id: string
  /** Makes the owners of a run its own. */
  readonly run: string
  state: SessionState | null
  kept: readonly KeptEpoch[]
  readonly versions: string[]
  readonly epochs: string[]
  readonly paths: string[]
  readonly operations: { readonly id: string; readonly digest: string }[]
  readonly seqs: Set<number>
  readonly snapshots: Map<string, number>
  readonly staged: [number, number]
  erasures: number
}

export function know(id: string, run: string): Known {
  return {
    id,
    run,
    state: null,
    kept: [],
    versions: [],
    epochs: [],
    paths: [],
    operations: [],
    seqs: new Set(),
    snapshots: new Map(),
    staged: [0, 0],
    erasures: 0,
  }
}
