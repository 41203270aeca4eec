import { hash } from 'node:crypto'

/** What a session is found by. */
export function keyOf(session: string): Buffer {
  return hash('sha256', session, 'buffer')
}

/** What an operation or a snapshot is found by within its session. */
export function shortKeyOf(id: string): Buffer {
  return keyOf(id).subarray(0, 16)
}
