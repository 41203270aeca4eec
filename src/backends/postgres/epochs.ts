import type { EpochCause } from '../../core/backend.ts'
import { pathFromText } from '../../core/path-text.ts'
import { isLost } from '../../core/recognize-error.ts'
import { type StoredEpoch, StoredEpochs } from '../../core/stored-epochs.ts'
import type { PartRow } from './part-row.ts'

/** The epochs among the rows of a reading. What needs one that cannot be read finds that it is missing. */
export function toEpochs(session: string, rows: readonly PartRow[]): StoredEpochs {
  return new StoredEpochs(
    session,
    rows.flatMap((row) => {
      try {
        return [toEpoch(session, row)]
      } catch (error) {
        if (!isLost(error)) throw error
        return []
      }
    }),
  )
}

function toEpoch(session: string, { seq: number, at, kind, body }: PartRow): StoredEpoch {
  const [path, base, entries, own] = JSON.parse(body ?? '[]') as [
    path: string | null,
    base: number | null,
    kept: number | null,
    own: string | null,
  ]
  return {
    number,
    cause: kind as EpochCause | null,
    at,
    path: path === null ? null : pathFromText(session, path),
    base,
    difference: entries === null ? null : { entries, own: pathFromText(session, own) },
  }
}
