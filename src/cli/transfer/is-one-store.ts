import { randomUUID } from 'node:crypto'
import type { MemoryStore } from '../../core/memory-store.ts'
import { openMemory } from '../../open-memory.ts'

/** In milliseconds. If nobody is left to delete the mark, it expires. */
const endOfMark = 60_000

/** Whether both are the same store under two names: what is written to one is found in the other. */
export async function isOneStore(from: MemoryStore, url: string): Promise<boolean> {
  await using to = await openMemory(url, { ttl: endOfMark })
  const mark = `unforget copy ${randomUUID()}`
  await to.addMessages(mark, [{ role: 'system', content: 'written to tell two stores apart, then deleted' }])
  try {
    return (await from.sessionInfo(mark)) !== null
  } finally {
    await to.deleteSession(mark)
  }
}
