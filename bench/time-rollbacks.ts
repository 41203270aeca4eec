import type { MemoryStore } from 'unforget'
import { timeEach } from './measure.ts'
import { makeTurn } from './turns.ts'

/** Each rollback undoes a turn. Adding the turn is not measured. */
export async function timeRollbacks(memory: MemoryStore, session: string, times: number): Promise<number> {
  const { id } = await memory.saveSnapshot(session)
  let milliseconds = 0
  for (let index = 0; index < times; index++) {
    await memory.addMessages(session, [makeTurn(index)])
    milliseconds += await timeEach(1, () => memory.rollbackToSnapshot(session, id))
  }
  return milliseconds / times
}
