import { MemoryStoreError, quote } from '../../core/errors.ts'

/** The session does not end with the items that were to be replaced (`VERSION_CONFLICT`). Nothing was changed. */
export class SuffixConflictError extends MemoryStoreError {
  /** The session to write to. */
  readonly session: string

  constructor(session: string) {
    super(
      'VERSION_CONFLICT',
      `session ${quote(session)} does not end with the items that were to be replaced; nothing was changed`,
    )
    this.session = session
  }
}
