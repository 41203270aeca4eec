import Database from 'better-sqlite3'
import { reach } from '../../src/golden/process/kill-point.ts'
import { type MemoryStore, openMemory } from '../../src/index.ts'

type Step = (path: string, args: { session: string }) => Promise<void>

const inStore =
  (run: (memory: MemoryStore, session: string) => Promise<unknown>): Step =>
  async (path, { session }) => {
    await using memory = await openMemory(`sqlite:${path}`)
    await run(memory, session)
  }

export const saveAndExit: Step = inStore(async (memory, session) => {
  await memory.addMessages(session, [{ role: 'user', content: 'My name is Wang' }])
  await memory.saveSnapshot(session, { label: 'introduced' })
  await memory.addMessages(session, [{ role: 'user', content: 'I want a refund' }])
  await memory.addSummary(session, { text: 'Wang wants a refund', embedding: [0.5, 0.25] })
  await memory.saveSnapshot(session, { label: 'before the refund' })
  await memory.addMessages(session, [{ role: 'assistant', content: 'Refunded 1,000,000' }])
})

export const rollBack: Step = inStore(async (memory, session) => {
  const target = (await memory.listSnapshots(session)).find(({ label }) => label === 'before the refund')
  await memory.rollbackToSnapshot(session, target?.id ?? '')
})

export const answerAndDie: Step = inStore(async (memory, session) => {
  await memory.addMessages(session, [{ role: 'assistant', content: 'I will ask a person' }])
  reach('acknowledged')
})

export const eraseSession: Step = inStore((memory, session) => memory.deleteSession(session))

/** The two bugs of the story, as a rollback of our own backend would have them. */
export const rollBackAndWipeSnapshots: Step = (path, args) => rollBackAndRun(path, args, 'DELETE FROM snapshots')
export const rollBackAndWipeConversation: Step = (path, args) => rollBackAndRun(path, args, 'DELETE FROM entries')

async function rollBackAndRun(path: string, args: { session: string }, sql: string): Promise<void> {
  await rollBack(path, args)
  const database = new Database(path)
  database.exec(sql)
  database.close()
}
