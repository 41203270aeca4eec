import type { Damage } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { inspectSession } from '../inspect-session.ts'
import { countEntries } from '../path.ts'
import type { ProgressOptions, Verified } from '../types.ts'
import { eachSession } from './each-session.ts'

/** Reads everything that any path or snapshot needs, and lists all damage. */
export async function verify(
  calls: Calls,
  session: string | undefined,
  { onProgress }: ProgressOptions,
): Promise<Verified> {
  const damage: Damage[] = []
  let sessions = 0
  let entries = 0
  const verifyOne = async (id: string) => {
    let read = 0
    const inspected = await inspectSession(calls, id, {
      begin: () => {
        read = 0
      },
      visit: (slice) => {
        read += slice.length
        onProgress?.({ sessions, entries: entries + read })
      },
    })
    sessions += 1
    entries += countEntries(inspected.ranges)
    damage.push(...inspected.damage)
    onProgress?.({ sessions, entries })
  }
  if (session !== undefined) {
    await verifyOne(session)
  } else {
    for await (const { id } of eachSession(calls)) await verifyOne(id)
    for (let done = false; !done; ) {
      const found = await calls.damage()
      damage.push(...found.damage)
      done = found.done
    }
  }
  return { ok: damage.length === 0, sessions, entries, damage }
}
