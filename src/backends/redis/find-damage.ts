import type { Damage } from '../../core/backend.ts'
import { type FoundKey, type Listing, scanKeys } from './list-sessions.ts'
import { toListed } from './read-session.ts'
import { listOf, type Reply, textOf } from './reply.ts'
import { listScript } from './scripts/read.ts'

/** An owner's list, a lease, the operations of ended sessions and copies that are not published are no parts of a session. */
const parts: ReadonlySet<string> = new Set(['log', 'summaries', 'head', 'earlier'])

/** What is left of sessions that nothing names anymore: neither their state nor the head of their log is there. */
export async function findDamage({ link, keys, deadline }: Listing): Promise<Damage[]> {
  const damage: Damage[] = []
  const looked = new Set<string>()
  for await (const found of scanKeys({ link, keys, deadline })) {
    const isPart = ({ kind }: FoundKey) => parts.has(kind)
    const tags = new Set(found.filter(isPart).map(({ tag }) => tag))
    for (const tag of tags) {
      if (looked.has(tag)) continue
      looked.add(tag)
      const reply = (await link.run(listScript, keys.ofTag(tag), ['log'], deadline)) as Reply
      const [status, reason] = listOf(reply)
      const isNameless = textOf(status) === 'LOST' && toListed(reply) === null
      if (isNameless)
        damage.push({ session: null, seqs: [], reason: `the session with the tag ${tag}: ${textOf(reason)}` })
    }
  }
  return damage
}
