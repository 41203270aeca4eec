import { GoldenError } from '../errors.ts'
import type { DatabaseDiff } from './diff.ts'

/** A test left something else than its goldens say; the message is the readable diff. */
export class GoldenMismatchError extends GoldenError {
  readonly mismatches: readonly Mismatch[]

  constructor(message: string, mismatches: readonly Mismatch[]) {
    super('MISMATCH', message)
    this.mismatches = mismatches
    Object.defineProperty(this, 'mismatches', { enumerable: false })
  }
}

export interface Mismatch {
  /** The golden's file. */
  readonly golden: string
  /** The step's name, or null for the end of the test. */
  readonly step: string | null
  /** What differs; null if there is no golden to compare with. */
  readonly diff: DatabaseDiff | null
  /** Where the new state waits for a review, if it was written. */
  readonly pending: string | null
  /** The `volatile` entries of columns that look as if they change on every run. */
  readonly proposal: Readonly<Record<string, 'uuid' | 'time' | 'random'>> | null
  /** What would differ even with the proposal; empty if it would match. */
  readonly stillDiffers: readonly string[]
}
