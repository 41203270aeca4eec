import { hash } from 'node:crypto'

/** What a session is found by. As text first, which takes half as long as making the buffer at once. */
export function keyOf(session: string): Buffer {
  return Buffer.from(hash('sha256', session, 'binary'), 'latin1')
}

/** What an operation or a snapshot is found by within its session. */
export function shortKeyOf(id: string): Buffer {
  return keyOf(id).subarray(0, 16)
}
