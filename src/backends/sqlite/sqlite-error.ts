import { MemoryStoreBackendError, MemoryStoreError } from '../../core/errors.ts'
import { messageOf } from '../../plain/message-of.ts'
import { obstacleOf } from './obstacle-of.ts'

export function sqliteCode(error: unknown): string | undefined {
  return error instanceof Error && error.name === 'SqliteError' ? (error as Error & { code: string }).code : undefined
}

/** Another connection holds the lock, for a moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
}

/** Pages of the file are damaged. */
export function isCorrupt(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_CORRUPT') ?? false
}

/** After such an error, a connection can no longer be trusted. */
export function isInputOutput(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_IOERR') ?? false
}

/** There is no more space on the disk. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_FULL') ?? false
}

/** The lack of space was detected before calling SQLite. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof MemoryStoreError && error.code === 'DISK_FULL'
}

export function diskFull(file: string, cause?: unknown): MemoryStoreBackendError {
  const message =
    `the disk that holds ${file} is full. Free space on it, or remove memory with deleteSession, deleteAllSessions or sweep, ` +
    'which have some space reserved; writes then continue on their own'
  return new MemoryStoreBackendError('DISK_FULL', message, { applied: 'no', cause })
}

/** Translates a SQLite error into an error of the contract. */
export function toBackendError(error: unknown, file: string, applied: 'no' | 'unknown'): MemoryStoreError {
  if (error instanceof MemoryStoreError) return error
  const code = sqliteCode(error) ?? ''
  const options = { applied, cause: error }
  if (isFull(error)) return diskFull(file, error)
  if (code.startsWith('SQLITE_READONLY')) {
    const reason = obstacleOf(file) ?? `${file} cannot be written`
    return new MemoryStoreBackendError('READ_ONLY', reason, { ...options, applied: 'no' })
  }
  if (code.startsWith('SQLITE_NOTADB')) {
    return new MemoryStoreBackendError('NOT_A_MEMORY', `${file} is not a SQLite database`, {
      ...options,
      applied: 'no',
    })
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    const reason =
      obstacleOf(file) ??
      `${file} cannot be opened: the file or its folder, where SQLite keeps a log, is not accessible`
    return new MemoryStoreBackendError('CANNOT_OPEN', reason, options)
  }
  const message = messageOf(error)
  return new MemoryStoreBackendError('BACKEND_FAILED', `SQLite failed on ${file}: ${message}`, {
    ...options,
    retryable: isInputOutput(error),
  })
}

/** This attempt wrote nothing, but an earlier one may have. */
export function inDoubt(error: MemoryStoreError): MemoryStoreError {
  if (error instanceof MemoryStoreBackendError && error.applied === 'unknown') return error
  const { message, retryable } = error
  return new MemoryStoreBackendError('BACKEND_FAILED', message, { applied: 'unknown', retryable, cause: error })
}
