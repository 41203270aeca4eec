import { createHash } from 'node:crypto'
import type { SessionCopy } from '../../core/backend.ts'
import { resealEntry } from '../../core/seal-entry.ts'
import { sessionLines } from './transfer-lines.ts'

/** Equal for two sessions with the same entries, paths, snapshots, versions, times, expiry, owner, title and metadata. The storage format of entries does not count. */
export function fingerprint(copy: SessionCopy): string {
  const hash = createHash('sha256')
  for (const line of sessionLines({ ...copy, entries: copy.entries.map(resealEntry) })) hash.update(line)
  return hash.digest('hex').slice(0, 32)
}
