import { SessionNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { SessionInfo } from '../../core/types.ts'
import { respondJson } from '../respond.ts'
import type { SessionsView, SessionView } from '../wire.ts'
import { countOf, textOf } from './query.ts'
import type { RouteContext } from './route.ts'

const mostOnPage = 200

/** How many sessions one answer of a search may look at. The page asks again for more. */
const mostLooked = 4000

interface Sought {
  readonly owner: string | undefined
  readonly cursor: string | null
  readonly limit: number
}

export async function listSessions({ memory }: RouteContext, _: Request, query: URLSearchParams): Promise<Response> {
  const sought: Sought = {
    owner: query.get('owner') || undefined,
    cursor: query.get('cursor'),
    limit: countOf(query, 'limit', mostOnPage) || 50,
  }
  const text = query.get('search') ?? ''
  if (text !== '') return respondJson(await search(memory, text, sought))
  const page = await memory.listSessions(sought)
  return respondJson({ ...page, looked: page.sessions.length + page.damaged.length } satisfies SessionsView)
}

/** There is no index of ids and titles, so a search reads the list, page by page, until it has found enough. */
async function search(memory: MemoryStore, text: string, { owner, cursor, limit }: Sought): Promise<SessionsView> {
  const wanted = text.toLowerCase()
  const matches = (value: string | null) => value?.toLowerCase().includes(wanted) === true
  const exact = cursor === null && text.isWellFormed() ? await exactly(memory, text, owner) : null
  const sessions: SessionInfo[] = exact === null ? [] : [exact]
  const damaged: string[] = []
  let looked = 0
  let next = cursor
  do {
    const page = await memory.listSessions({ owner, cursor: next, limit: 1000 })
    looked += page.sessions.length + page.damaged.length
    sessions.push(...page.sessions.filter((info) => (matches(info.id) || matches(info.title)) && info.id !== exact?.id))
    damaged.push(...page.damaged.filter(matches))
    next = page.cursor
  } while (next !== null && sessions.length + damaged.length < limit && looked < mostLooked)
  return { sessions, damaged, cursor: next, looked }
}

async function exactly(memory: MemoryStore, id: string, owner: string | undefined): Promise<SessionInfo | null> {
  try {
    const info = await memory.sessionInfo(id)
    return owner === undefined || info?.owner === owner ? info : null
  } catch {
    return null
  }
}

export async function showSession({ memory }: RouteContext, _: Request, query: URLSearchParams): Promise<Response> {
  const session = textOf(query, 'session')
  const info = await infoOf(memory, session)
  const paths = await memory.paths(session)
  if (paths === null) throw new SessionNotFoundError(session)
  return respondJson({ info, paths } satisfies SessionView)
}

/** What the page asks for every second: one read, whatever the length of the history. */
export async function showState({ memory }: RouteContext, _: Request, query: URLSearchParams): Promise<Response> {
  return respondJson(await infoOf(memory, textOf(query, 'session')))
}

async function infoOf(memory: MemoryStore, session: string): Promise<SessionInfo> {
  const info = await memory.sessionInfo(session)
  if (info === null) throw new SessionNotFoundError(session)
  return info
}
