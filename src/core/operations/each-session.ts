import type { Calls } from '../calls.ts'
import type { SessionState } from '../session-state.ts'

/** Sessions on a page by default. */
export const pageSize = 1000

export async function* eachSession(calls: Calls): AsyncGenerator<{ id: string; state: SessionState | null }> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Calls['sessions']>> = await calls.sessions(cursor, pageSize)
    yield* page.sessions
    cursor = page.cursor
  } while (cursor !== null)
}
