import { chooseMemoryManager } from '../choose-memory-manager.ts'

const Chosen = chooseMemoryManager()

export function saveAndExit(path: string, { session }: { session: string }): void {
  const memory = new Chosen(path)
  memory.addTurn(session, { role: 'user', content: 'My name is Wang' })
  memory.saveSnapshot(session, 'introduced')
  memory.addTurn(session, { role: 'user', content: 'I want a refund' })
  memory.saveSnapshot(session, 'before the refund')
  memory.addTurn(session, { role: 'assistant', content: 'Refunded 1,000,000' })
  memory.close()
}

export function rollBack(path: string, { session }: { session: string }): void {
  const memory = new Chosen(path)
  const target = memory.listSnapshots(session).find(({ label }) => label === 'before the refund')
  memory.rollbackToSnapshot(session, target?.id ?? '')
  memory.close()
}
