import type { ListedPage, ListedSession } from '../../core/backend.ts'
import { misuse } from '../../core/errors.ts'
import type { AnyKind, Keys } from './keys.ts'
import type { Link } from './link.ts'
import { toListed } from './read-session.ts'
import { listOf, type Reply, textOf } from './reply.ts'
import { listScript } from './scripts/read.ts'

const keysPerScan = 500

export interface FoundKey {
  readonly tag: string
  readonly kind: AnyKind
}

/** What is listed, and the deadline. */
export interface Listing {
  readonly link: Link
  readonly keys: Keys
  readonly deadline: number
}

/** The server and cursor at which a scan continues; `end` after the last. */
export interface Place {
  readonly server: number
  readonly at: string
}

export const start: Place = { server: 0, at: '0' }

/**
 * A page of sessions, by scanning the keys of every server. A session that exists during the whole scan is listed; twice only if the server's table
 * of keys shrinks, or cluster slots move, between two pages. The cursor also carries sessions that were found but did not fit on the page.
 */
export async function listSessions(
  { link, keys, deadline }: Listing,
  cursor: string | null,
  limit: number,
): Promise<ListedPage> {
  let { place, left } = cursor === null ? { place: start, left: [] as FoundKey[] } : parseCursor(keys, cursor)
  const sessions: ListedSession[] = []
  for (;;) {
    while (left.length > 0 && sessions.length < limit) {
      const some = left.slice(0, limit - sessions.length)
      const replies = await Promise.all(
        some.map(({ tag, kind }) => link.run(listScript, keys.ofTag(tag), [kind], deadline)),
      )
      for (const reply of replies) {
        const listed = toListed(reply as Reply)
        if (listed !== null) sessions.push(listed)
      }
      left = left.slice(some.length)
    }
    if (left.length === 0 && place.at === 'end') return { sessions, cursor: null }
    if (sessions.length >= limit) return { sessions, cursor: JSON.stringify({ place, left }) }
    const next = await scan({ link, keys, deadline }, place)
    place = next.place
    left = next.found.filter(({ kind }) => kind === 'state' || kind === 'log')
  }
}

/** Every key of the memory, a slice at a time. */
export async function* scanKeys({ link, keys, deadline }: Listing): AsyncGenerator<readonly FoundKey[]> {
  for (let place = start; place.at !== 'end'; ) {
    const next = await scan({ link, keys, deadline }, place)
    yield next.found
    place = next.place
  }
}

/** One step through the keys. */
export async function scan(
  { link, keys, deadline }: Listing,
  { server, at }: Place,
): Promise<{ found: FoundKey[]; place: Place }> {
  const servers = await link.servers(deadline)
  const reply = await servers[server]?.send(['SCAN', at, 'MATCH', keys.pattern, 'COUNT', `${keysPerScan}`])
  const [next, found] = listOf(reply as Reply)
  const after = textOf(next ?? '0')
  const isServerDone = after === '0'
  const isLast = isServerDone && server + 1 >= servers.length
  return {
    found: listOf(found)
      .map((key) => keys.parse(textOf(key)))
      .filter((key) => key !== undefined),
    place: { server: isServerDone ? server + 1 : server, at: isLast ? 'end' : after },
  }
}

function parseCursor(keys: Keys, cursor: string): { place: Place; left: FoundKey[] } {
  try {
    const { place, left } = JSON.parse(cursor) as { place: Place; left: FoundKey[] }
    const isPlace = Number.isInteger(place.server) && /^(\d+|end)$/.test(place.at)
    const areKeys = left.every(({ tag, kind }) => keys.isTag(tag) && (kind === 'state' || kind === 'log'))
    if (isPlace && areKeys) return { place, left }
  } catch {}
  throw misuse('options.cursor: expected the cursor of an earlier page')
}
