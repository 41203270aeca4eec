import { createHash } from 'node:crypto'

/** What a session is found by. */
export function keyOf(session: string): Buffer {
  return createHash('sha256').update(session).digest()
}

/** What an operation or a snapshot is found by within its session. */
export function shortKeyOf(id: string): Buffer {
  return keyOf(id).subarray(0, 16)
}
