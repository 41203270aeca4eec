import type { Change } from './backend.ts'
import {
  CopyLostError,
  MemoryStoreBackendError,
  type MemoryStoreError,
  OperationConflictError,
  SnapshotExistsError,
  SnapshotNotFoundError,
  TurnLostError,
  VersionConflictError,
} from './errors.ts'

/** Why a change was not applied by a server that computes it: what `advance` throws, as a script or a function can say it. */
export type Refusal =
  | { readonly status: 'OPERATION' | 'TURN' | 'NO_SNAPSHOT' | 'SNAPSHOT_EXISTS' }
  | { readonly status: 'VERSION' | 'EPOCH' | 'PATH'; readonly actual: string | null }
  | { readonly status: 'COPY'; readonly actual: number }

/** Reads what the server said; without a session, the version, epoch or path that it found is empty. */
export function toRefusal(status: string, found: unknown): Refusal {
  switch (status) {
    case 'OPERATION':
    case 'TURN':
    case 'NO_SNAPSHOT':
    case 'SNAPSHOT_EXISTS':
      return { status }
    case 'VERSION':
    case 'EPOCH':
    case 'PATH':
      return { status, actual: typeof found === 'string' && found !== '' ? found : null }
    case 'COPY':
      return { status, actual: Number(found) }
    default:
      throw new MemoryStoreBackendError('BACKEND_FAILED', `the server replied ${status}`, { applied: 'unknown' })
  }
}

export function refusalError(session: string, change: Change, refusal: Refusal): MemoryStoreError {
  switch (refusal.status) {
    case 'OPERATION':
      return new OperationConflictError(session, change.operation.id)
    case 'VERSION':
      return new VersionConflictError(session, 'version', change.ifVersion ?? null, refusal.actual)
    case 'EPOCH':
      return new VersionConflictError(session, 'epoch', change.ifEpoch ?? null, refusal.actual)
    case 'PATH':
      return new VersionConflictError(session, 'path', change.ifPath ?? null, refusal.actual)
    case 'TURN':
      return new TurnLostError(session)
    case 'NO_SNAPSHOT':
      return new SnapshotNotFoundError(session, change.ifSnapshot?.id ?? '')
    case 'SNAPSHOT_EXISTS':
      return new SnapshotExistsError(session, change.putSnapshot?.id ?? '')
    case 'COPY':
      return new CopyLostError(session, change.staged?.count ?? 0, refusal.actual)
  }
}
