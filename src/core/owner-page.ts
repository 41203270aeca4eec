import type { ListedPage, ListedSession } from './backend.ts'
import { misuse } from './errors.ts'

/** Where a page of an owner's sessions ends: when its last session was last written, and its id. */
export interface OwnerCursor {
  readonly updatedAt: number
  readonly id: string
}

export function ownerCursorToText({ updatedAt, id }: OwnerCursor): string {
  return JSON.stringify([updatedAt, id])
}

export function ownerCursorFromText(text: string): OwnerCursor {
  try {
    const [updatedAt, id] = JSON.parse(text) as [unknown, unknown]
    if (Number.isSafeInteger(updatedAt) && typeof id === 'string') return { updatedAt: updatedAt as number, id }
  } catch {}
  throw misuse('options.cursor: expected the cursor of an earlier page')
}

/** Most recently written first; within the same millisecond, by the bytes of their ids. */
export function newestFirst(a: ListedSession, b: ListedSession): number {
  return (b.state?.updatedAt ?? 0) - (a.state?.updatedAt ?? 0) || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}

/** A page of sessions that are already in order. */
export function pageOf(sorted: readonly ListedSession[], cursor: string | null, limit: number): ListedPage {
  const after = cursor === null ? null : ownerCursorFromText(cursor)
  const left = after === null ? sorted : sorted.filter((session) => isAfter(session, after))
  const sessions = left.slice(0, limit)
  const last = sessions.at(-1)
  if (last === undefined || left.length <= limit) return { sessions, cursor: null }
  return { sessions, cursor: ownerCursorToText({ updatedAt: last.state?.updatedAt ?? 0, id: last.id }) }
}

function isAfter({ id, state }: ListedSession, cursor: OwnerCursor): boolean {
  const updatedAt = state?.updatedAt ?? 0
  if (updatedAt !== cursor.updatedAt) return updatedAt < cursor.updatedAt
  return Buffer.compare(Buffer.from(id), Buffer.from(cursor.id)) > 0
}
