import type { Calls } from '../calls.ts'
import { eachAtOnce } from '../each-at-once.ts'
import { MemoryStoreBackendError, SessionNotFoundError } from '../errors.ts'
import { isVersionConflict } from '../recognize-error.ts'
import { encodeAbout } from '../session-about.ts'
import { type SessionState, versionOf } from '../session-state.ts'
import type { DescribeOptions, Written } from '../types.ts'
import { changePath } from './change-path.ts'
import { pageSize } from './each-session.ts'
import { reclaimErased } from './reclaim-erased.ts'
import { maxConcurrentSessions } from './sessions.ts'

/** Resolves to the version and epoch after it; throws `SessionNotFoundError` if there is no such session. */
export async function describe(calls: Calls, session: string, options: DescribeOptions): Promise<Written> {
  const parts = encodeAbout(options)
  const { version, epoch } = await changePath<null>(
    calls,
    session,
    'describe',
    { options, content: [parts] },
    async ({ state }) => {
      if (state === null) throw new SessionNotFoundError(session)
      return { change: { describe: parts }, answer: null }
    },
  )
  return { version, epoch }
}

/** Starts with the first page again and again: what it has erased is no longer listed, whoever erased it. */
export async function deleteSessions(calls: Calls, owner: string): Promise<number> {
  let sessions = 0
  for (;;) {
    const page = await calls.sessionsOf(owner, null, pageSize)
    if (page.sessions.length === 0) break
    await eachAtOnce(page.sessions, maxConcurrentSessions, async ({ id, state }) => {
      if (await eraseOwned(calls, owner, id, state)) sessions += 1
    })
    await reclaimErased(calls, null)
  }
  while (!(await calls.reclaim('all')).done);
  return sessions
}

/** A session that was given to somebody else meanwhile stays. */
async function eraseOwned(calls: Calls, owner: string, session: string, listed: SessionState | null): Promise<boolean> {
  const giveUp = performance.now() + calls.timeout
  for (let state = listed; ; ) {
    try {
      return await calls.erase(session, state === null ? {} : { ifVersion: versionOf(state) })
    } catch (error) {
      if (!isVersionConflict(error)) throw error
      if (performance.now() > giveUp) {
        throw new MemoryStoreBackendError(
          'TIMEOUT',
          `deleteSessions: a session kept changing for ${calls.timeout} ms`,
          {
            applied: 'no',
            retryable: true,
            cause: error,
          },
        )
      }
    }
    const now = await calls.read(session, { about: true })
    if (now.about?.owner !== owner) return false
    state = now.state
  }
}
