import type { Lease } from '../../core/backend.ts'
import { hashOf } from './erased-operations.ts'
import type { Queries } from './queries.ts'

/** Takes the turn of a session, or returns how long the holder's lease still lasts. */
export function takeTurn(connection: Queries, id: string, lease: Lease): number | null {
  const now = Date.now()
  const held = find(connection, id)
  if (held !== undefined && held.token !== lease.token && held.until > now) return held.until - now
  hold(connection, id, lease, now)
  return null
}

export function renewTurn(connection: Queries, id: string, lease: Lease): boolean {
  const now = Date.now()
  const isHeld = holdsTurn(connection, id, lease.token, now)
  if (isHeld) hold(connection, id, lease, now)
  return isHeld
}

export function endTurn(connection: Queries, id: string, token: string): void {
  connection.run('DELETE FROM turns WHERE session_hash = ? AND token = ?', hashOf(id), token)
}

export function holdsTurn(connection: Queries, id: string, token: string, now: number): boolean {
  const held = find(connection, id)
  return held?.token === token && held.until > now
}

export function forgetTurns(connection: Queries): void {
  connection.run('DELETE FROM turns WHERE until <= ?', Date.now())
}

function find(connection: Queries, id: string): { token: string; until: number } | undefined {
  return connection.get('SELECT token, until FROM turns WHERE session_hash = ?', hashOf(id))
}

function hold(connection: Queries, id: string, { token, milliseconds }: Lease, now: number): void {
  const until = Math.ceil(now + milliseconds)
  connection.run('INSERT OR REPLACE INTO turns VALUES (?, ?, ?)', hashOf(id), token, until)
}
