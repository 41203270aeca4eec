import type { SessionAbout } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { eachAtOnce } from '../each-at-once.ts'
import type { MemoryLostError } from '../errors.ts'
import { conditionsOf } from '../operation.ts'
import { closePath, countEntries } from '../path.ts'
import { isLost } from '../recognize-error.ts'
import { decodeAbout } from '../session-about.ts'
import { epochOf, type SessionState, versionOf } from '../session-state.ts'
import type { DeleteOptions, ExpireOptions, Expiry, ListOptions, SessionInfo, SessionPage } from '../types.ts'
import { changePath } from './change-path.ts'
import { eachSession, pageSize } from './each-session.ts'
import { reclaimErased } from './reclaim-erased.ts'
import { clear } from './trim.ts'

/** Enough to share a transaction, few enough to leave room for others. */
export const maxConcurrentSessions = 64

export async function sessionInfo(calls: Calls, session: string): Promise<SessionInfo | null> {
  const { state, about } = await calls.read(session, { about: true })
  return state && toInfo(session, state, about)
}

export async function listSessions(
  calls: Calls,
  { owner, cursor = null, limit = pageSize }: ListOptions,
): Promise<SessionPage> {
  const page = owner === undefined ? await calls.sessions(cursor, limit) : await calls.sessionsOf(owner, cursor, limit)
  const listed: SessionPage = { sessions: [], damaged: [], cursor: page.cursor }
  for (const { id, state, about } of page.sessions) {
    const info = state && infoUnlessLost(id, state, about)
    if (info === null) listed.damaged.push(id)
    else listed.sessions.push(info)
  }
  return listed
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

function infoUnlessLost(id: string, state: SessionState, about: SessionAbout | null): SessionInfo | null {
  try {
    return toInfo(id, state, about)
  } catch (error) {
    if (!isLost(error)) throw error
    return null
  }
}

function toInfo(id: string, state: SessionState, about: SessionAbout | null): SessionInfo {
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
    ...decodeAbout(id, about),
  }
}
