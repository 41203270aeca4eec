import type { SessionState } from '../../../src/core/session-state.ts'

/** What a run knows of one session on one backend. */
export interface Known {
  readonly id: string
  state: SessionState | null
  readonly versions: string[]
  readonly epochs: string[]
  readonly operations: { readonly id: string; readonly digest: string }[]
  readonly seqs: Set<number>
  readonly snapshots: Map<string, number>
  readonly staged: [number, number]
  erasures: number
}

export function know(id: string): Known {
  return {
    id,
    state: null,
    versions: [],
    epochs: [],
    operations: [],
    seqs: new Set(),
    snapshots: new Map(),
    staged: [0, 0],
    erasures: 0,
  }
}
