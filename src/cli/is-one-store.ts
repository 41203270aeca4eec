import { randomUUID } from 'node:crypto'
import type { Stores } from './copy-sessions.ts'

/** Whether both are one store by two names: what is written to one is found in the other. */
export async function isOneStore({ from, to }: Stores): Promise<boolean> {
  const mark = `unforget copy ${randomUUID()}`
  await to.addMessages(mark, [{ role: 'system', content: 'written to tell two stores apart, and deleted again' }])
  try {
    return (await from.sessionInfo(mark)) !== null
  } finally {
    await to.deleteSession(mark)
  }
}
