import type { ListedPage } from '../../core/backend.ts'
import { newestFirst, type OwnerCursor, ownerCursorFromText, ownerCursorToText } from '../../core/owner-page.ts'
import { textToJson } from '../../core/text-json.ts'
import type { Listing } from './list-sessions.ts'
import { toListed } from './read-session.ts'
import { listOf, type Reply, textOf } from './reply.ts'
import { delistScript, ownedScript, peekScript, staleAfter } from './scripts/owner.ts'
import { listScript } from './scripts/read.ts'

const sessionsPerPeek = 100

/** A session on a list, and whose it really is. */
export interface Peeked extends OwnerCursor {
  readonly tag: string
  /** As it is stored. */
  readonly owner: string
}

/** What is on a list and is not the owner's, for long enough that nobody is about to make it so: the tag, and since when, by turns. */
export type Stale = readonly string[]

/** A page of an owner's sessions, whatever else is on the list, and what can be taken off it. Two round trips, and one for the page. */
export async function listOwned(
  listing: Listing,
  owner: string,
  cursor: string | null,
  limit: number,
): Promise<{ page: ListedPage; stale: Stale }> {
  const { link, keys, deadline } = listing
  const after = cursor === null ? null : ownerCursorFromText(cursor)
  const text = textToJson(owner)
  const pattern = link.isCluster ? '' : keys.everyTip
  const upTo = after?.updatedAt ?? Number.MAX_SAFE_INTEGER
  let left: Peeked[] = []
  let stale: Stale = []
  for (let count = limit + 1, more = true; more && left.length <= limit; count *= 4) {
    const part = { pattern, count, upTo }
    const read = await readList(listing, keys.owned(owner), (found) => found.owner === text, part)
    left = read.mine.sort(byTime).filter((one) => after === null || byTime(after, one) < 0)
    stale = read.stale
    more = read.more
  }
  const shown = left.slice(0, limit)
  const replies = await Promise.all(shown.map(({ tag }) => link.run(listScript, keys.ofTag(tag), ['state'], deadline)))
  const sessions = replies
    .map((reply) => toListed(reply as Reply))
    .filter((one) => one !== null)
    .filter(({ about }) => about === null || about.owner === owner)
  const last = left.length > limit ? shown.at(-1) : undefined
  return {
    page: { sessions: sessions.sort(newestFirst), cursor: last === undefined ? null : ownerCursorToText(last) },
    stale,
  }
}

/** Takes them off, but for those that were put there again since. */
export async function delist({ link, deadline }: Listing, key: string, stale: Stale): Promise<void> {
  if (stale.length > 0) await link.run(delistScript, [key], stale, deadline)
}

const everything = { pattern: '', count: 0, upTo: 0 }

/** Those on a list, or on the part of it that `ownedScript` returns, that are the owner's; what can be taken off it; and whether there are more. */
export async function readList(
  listing: Listing,
  key: string,
  isMine: (found: Peeked) => boolean,
  { pattern, count, upTo } = everything,
): Promise<{ mine: Peeked[]; stale: string[]; more: boolean }> {
  const args = [pattern, `${count}`, `${upTo}`]
  const [now, members, more] = listOf((await listing.link.run(ownedScript, [key], args, listing.deadline)) as Reply)
  const since = new Map<string, string>()
  const flat = listOf(members).map(textOf)
  for (let index = 0; index < flat.length; index += 2) since.set(flat[index] ?? '', flat[index + 1] ?? '')
  const tags = [...since.keys()].filter((tag) => listing.keys.isTag(tag))
  const mine = (await peek(listing, tags)).filter(isMine)
  const kept = new Set(mine.map(({ tag }) => tag))
  const oldest = Number(textOf(now)) - staleAfter
  const stale = [...since].filter(([tag, at]) => !kept.has(tag) && Number(at) < oldest)
  return { mine, stale: stale.flat(), more: more === 1 }
}

/** Of those that there are. Many share a script, unless they are on several servers. */
async function peek({ link, keys, deadline }: Listing, tags: readonly string[]): Promise<Peeked[]> {
  const size = link.isCluster ? 1 : sessionsPerPeek
  const slices = Array.from({ length: Math.ceil(tags.length / size) }, (_, index) =>
    tags.slice(index * size, (index + 1) * size),
  )
  const replies = await Promise.all(
    slices.map((slice) =>
      link.run(
        peekScript,
        slice.flatMap((tag) => [keys.named(tag, 'state'), keys.named(tag, 'head')]),
        [],
        deadline,
      ),
    ),
  )
  return replies.flatMap((reply, index) =>
    listOf(reply as Reply).flatMap((found, place) => {
      const [owner, id, updatedAt] = listOf(found).map(textOf)
      const tag = slices[index]?.[place]
      if (owner === undefined || id === undefined || tag === undefined) return []
      return [{ tag, owner, id, updatedAt: Number(updatedAt) }]
    }),
  )
}

/** As `newestFirst` orders them. */
function byTime(a: OwnerCursor, b: OwnerCursor): number {
  return b.updatedAt - a.updatedAt || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}
