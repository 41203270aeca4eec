import type { Usage } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { type ClosedRange, splitHead } from '../path.ts'
import { isLost } from '../recognize-error.ts'
import type { Stats } from '../types.ts'
import { eachSession } from './each-session.ts'
import { unread } from './sweep.ts'

/** Limits how long other work waits. */
const maxEntriesPerSlice = 10_000

export async function stats(calls: Calls): Promise<Stats> {
  const found = { sessions: 0, snapshots: 0, damaged: [] as string[] }
  let all: Usage = { entries: 0, bytes: 0 }
  let sweepable = await calls.measure(null, [])
  for await (const { id } of eachSession(calls)) {
    try {
      const list = await calls.snapshots(id)
      const drop = unread(id, list)
      if (drop === null || list.state === null) continue
      found.sessions += 1
      found.snapshots += list.snapshots.length
      all = plus(all, await measure(calls, id, [[1, list.state.end]]))
      const free = await measure(calls, id, drop.ranges)
      sweepable = plus(sweepable, free)
      all = { entries: all.entries - free.entries, bytes: all.bytes - free.bytes }
    } catch (error) {
      if (!isLost(error)) throw error
      found.damaged.push(id)
    }
  }
  return { ...found, ...all, sweepable }
}

async function measure(calls: Calls, session: string, ranges: readonly ClosedRange[]): Promise<Usage> {
  let sum: Usage = { entries: 0, bytes: 0 }
  for (
    let [slice, left] = splitHead(ranges, maxEntriesPerSlice);
    slice.length > 0;
    [slice, left] = splitHead(left, maxEntriesPerSlice)
  ) {
    sum = plus(sum, await calls.measure(session, slice))
  }
  return sum
}

function plus(a: Usage, b: Usage): Usage {
  return { entries: a.entries + b.entries, bytes: a.bytes + b.bytes }
}
