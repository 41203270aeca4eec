import type { Damage, SnapshotList } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { decodeEntry } from '../decode-entry.ts'
import { MemoryLostError } from '../errors.ts'
import { type ClosedRange, closePath, countEntries, describeSeqs, seqsOf, splitHead, unreadRanges } from '../path.ts'
import { epochOf } from '../session-state.ts'
import type { Verified } from '../types.ts'
import { eachSession } from './sessions.ts'

/** Reads everything that any path or snapshot demands, and lists every place where it is not what it must be. */
export async function verify(calls: Calls, session?: string): Promise<Verified> {
  const damage: Damage[] = []
  let sessions = 0
  let entries = 0
  const verifyOne = async (id: string) => {
    const found = await verifySession(calls, id)
    sessions += 1
    entries += found.entries
    damage.push(...found.damage)
  }
  if (session !== undefined) {
    await verifyOne(session)
  } else {
    for await (const { id } of eachSession(calls)) await verifyOne(id)
    damage.push(...(await calls.damage()))
  }
  return { ok: damage.length === 0, sessions, entries, damage }
}

async function verifySession(calls: Calls, session: string): Promise<{ entries: number; damage: Damage[] }> {
  for (;;) {
    let list: SnapshotList
    try {
      list = await calls.snapshots(session)
    } catch (error) {
      if (!(error instanceof MemoryLostError)) throw error
      return { entries: 0, damage: [{ session, seqs: error.seqs, reason: error.message }] }
    }
    const { ranges, damage } = demanded(session, list)
    damage.push(...(await damagedEntries(calls, session, ranges)))
    if (damage.length === 0 || sameList(list, await calls.snapshots(session))) {
      return { entries: countEntries(ranges), damage }
    }
  }
}

/** All that the path and the snapshots read, each entry once. */
function demanded(session: string, { state, snapshots, paths }: SnapshotList) {
  const damage: Damage[] = []
  const read: ClosedRange[] = state === null ? [] : closePath(state.path, state.end)
  for (const { id, epoch, end } of snapshots) {
    const path = paths.get(epoch)
    if (path === undefined) {
      damage.push({ session, seqs: [], reason: `the path of snapshot ${JSON.stringify(id)} is missing` })
    } else {
      read.push(...closePath(path, end))
    }
  }
  const end = Math.max(0, ...read.map(([, to]) => to))
  return { ranges: unreadRanges(end, unreadRanges(end, read)), damage }
}

async function damagedEntries(calls: Calls, session: string, ranges: readonly ClosedRange[]): Promise<Damage[]> {
  const damage: Damage[] = []
  let left = [...ranges]
  while (left.length > 0) {
    const [slice, others] = splitHead(left, 1000)
    const { entries } = await calls.read(session, { ranges: slice })
    const found = new Set(entries.map(({ seq }) => seq))
    const missing = [...seqsOf(slice)].filter((seq) => !found.has(seq))
    if (missing.length > 0)
      damage.push({ session, seqs: missing, reason: `entries ${describeSeqs(missing)} are missing` })
    for (const entry of entries) {
      try {
        decodeEntry(entry)
      } catch (error) {
        const reason = `entry ${entry.seq} cannot be read: ${(error as Error).message}`
        damage.push({ session, seqs: [entry.seq], reason })
      }
    }
    left = others
  }
  return damage
}

function sameList(a: SnapshotList, b: SnapshotList): boolean {
  const mark = ({ state, snapshots }: SnapshotList) =>
    JSON.stringify([state && epochOf(state), snapshots.map(({ id }) => id).sort()])
  return mark(a) === mark(b)
}
