import type { Calls } from '../calls.ts'
import { eachAtOnce } from '../each-at-once.ts'
import type { MemoryLostError } from '../errors.ts'
import { conditionsOf } from '../operation.ts'
import { closePath, countEntries } from '../path.ts'
import { isLost } from '../recognize-error.ts'
import { epochOf, type SessionState, versionOf } from '../session-state.ts'
import type { DeleteOptions, ExpireOptions, Expiry, SessionInfo, SessionPage } from '../types.ts'
import { changePath } from './change-path.ts'
import { eachSession, pageSize } from './each-session.ts'
import { reclaimErased } from './reclaim-erased.ts'
import { clear } from './trim.ts'

/** Enough to share a transaction, few enough to leave room for others. */
const maxConcurrentSessions = 64

export async function sessionInfo(calls: Calls, session: string): Promise<SessionInfo | null> {
  const { state } = await calls.read(session, {})
  return state && toInfo(session, state)
}

export async function listSessions(
  calls: Calls,
  { cursor = null, limit = pageSize }: { cursor?: string | null | undefined; limit?: number | undefined },
): Promise<SessionPage> {
  const page = await calls.sessions(cursor, limit)
  return {
    sessions: page.sessions.flatMap(({ id, state }) => (state === null ? [] : [toInfo(id, state)])),
    damaged: page.sessions.flatMap(({ id, state }) => (state === null ? [id] : [])),
    cursor: page.cursor,
  }
}

/** Resolves to the number of sessions, or throws at the end if some are damaged. */
export async function clearAll(calls: Calls): Promise<number> {
  let sessions = 0
  let lost: MemoryLostError | undefined
  await eachAtOnce(eachSession(calls), maxConcurrentSessions, async ({ id }) => {
    try {
      await clear(calls, id, {})
      sessions += 1
    } catch (error) {
      if (!isLost(error)) throw error
      lost ??= error
    }
  })
  if (lost !== undefined) throw lost
  return sessions
}

export async function deleteAllSessions(calls: Calls): Promise<number> {
  let sessions = 0
  try {
    await eachAtOnce(eachSession(calls), maxConcurrentSessions, async ({ id }) => {
      if (await calls.erase(id)) sessions += 1
    })
  } finally {
    await reclaimErased(calls, null)
  }
  return sessions
}

export async function deleteSession(calls: Calls, session: string, options: DeleteOptions): Promise<boolean> {
  const existed = await calls.erase(session, conditionsOf(options))
  await reclaimErased(calls, session)
  return existed
}

/** Resolves to `null` if there is no such session: nothing is created. */
export async function expire(calls: Calls, session: string, options: ExpireOptions): Promise<Expiry | null> {
  const setting =
    'ttl' in options ? { ttl: options.ttl } : 'at' in options ? { at: Number(options.at) } : ('never' as const)
  const { version, epoch, at, answer } = await changePath<boolean>(
    calls,
    session,
    'expire',
    { options, content: [setting] },
    async ({ state }) => ({ change: state && { expire: setting }, answer: state !== null }),
  )
  if (!answer) return null
  return {
    version,
    epoch,
    expiresAt: setting === 'never' ? null : 'ttl' in setting ? Math.ceil(at + setting.ttl) : Math.ceil(setting.at),
  }
}

function toInfo(id: string, state: SessionState): SessionInfo {
  const { createdAt, updatedAt, ttl, expiresAt } = state
  return {
    id,
    version: versionOf(state),
    epoch: epochOf(state),
    entries: countEntries(closePath(state.path, state.end)),
    createdAt,
    updatedAt,
    ttl,
    expiresAt,
  }
}
