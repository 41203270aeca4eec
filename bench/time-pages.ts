import type { MemoryStore } from 'unforget'
import { timeEach } from './measure.ts'

/** Pages of 50 near the beginning, in the middle and near the end, in both directions. */
export async function timePages(memory: MemoryStore, session: string, times: number): Promise<number> {
  const { entries = 0 } = (await memory.sessionInfo(session)) ?? {}
  const places = [0.1, 0.5, 0.9].map((part) => Math.max(1, Math.floor(entries * part)))
  let milliseconds = 0
  for (const seq of places) {
    milliseconds += await timeEach(times, () => memory.getHistory(session, { last: 50, before: seq }))
    milliseconds += await timeEach(times, () => memory.getEntries(session, { first: 50, after: seq }))
  }
  return milliseconds / (2 * places.length)
}
