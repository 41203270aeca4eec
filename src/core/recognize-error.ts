import {
  type MemoryLostError,
  type MemoryStoreBackendError,
  MemoryStoreError,
  type SeqNotFoundError,
  type SnapshotNotFoundError,
  type TurnLostError,
  type VersionConflictError,
} from './errors.ts'

/*
 * A backend may come from another copy of this package. Its errors are not instances of our classes.
 */

export function isBackendError(error: unknown): error is MemoryStoreBackendError {
  return MemoryStoreError.is(error) && 'applied' in error
}

export function isLost(error: unknown): error is MemoryLostError {
  return MemoryStoreError.is(error) && error.code === 'MEMORY_LOST'
}

export function isVersionConflict(error: unknown): error is VersionConflictError {
  return MemoryStoreError.is(error) && error.code === 'VERSION_CONFLICT'
}

export function isSnapshotNotFound(error: unknown): error is SnapshotNotFoundError {
  return MemoryStoreError.is(error) && error.code === 'SNAPSHOT_NOT_FOUND'
}

export function isTurnLost(error: unknown): error is TurnLostError {
  return MemoryStoreError.is(error) && error.code === 'TURN_LOST'
}

export function isSeqNotFound(error: unknown): error is SeqNotFoundError {
  return MemoryStoreError.is(error) && error.code === 'SEQ_NOT_FOUND'
}
