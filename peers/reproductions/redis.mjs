import { randomUUID } from 'node:crypto'

/** The server that `REDIS_URL` names, or the one on this machine. */
export const config = { url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' }

/** The id of a session that nobody has. */
export function newSession() {
  return `peers-${randomUUID()}`
}
