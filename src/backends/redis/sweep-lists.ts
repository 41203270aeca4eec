import { tagOf } from './keys.ts'
import { delist, type Peeked, readList } from './list-owned.ts'
import { type Listing, type Place, scan, start } from './list-sessions.ts'
import { ownerFromText } from './owned-writes.ts'

/** Removes from the lists of owners what is not theirs, a slice of the keys at a time; returns where to continue, or the start if that was all. */
export async function sweepLists(listing: Listing, from: Place): Promise<Place> {
  const { found, place } = await scan(listing, from)
  for (const { tag, kind } of found) {
    if (kind !== 'owned') continue
    const key = listing.keys.named(tag, kind)
    const isMine = ({ owner }: Peeked) => tagOf(ownerFromText(owner) ?? '') === tag
    const { stale } = await readList(listing, key, isMine)
    await delist(listing, key, stale)
  }
  return place.at === 'end' ? start : place
}
