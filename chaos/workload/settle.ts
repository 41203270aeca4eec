import { type MemoryStore, MemoryStoreError } from 'unforget'
import { mayBeApplied, type Operation, type Outcome } from '../checker/history.ts'
import { carryOut } from './carry-out.ts'
import { type Asked, Log, readLogs } from './log.ts'

/**
 * After the faults: finds out what became of every open operation, by asking the store or by repeating it, and reads every session once more.
 */
export async function settle(memory: MemoryStore, folder: string, sessions: readonly string[]): Promise<Operation[]> {
  const log = new Log(folder, 'settle')
  for (const [index, operation] of readLogs(folder).filter(mayBeApplied).entries()) {
    const { attempts: _, ...asked } = operation
    const isAsked = operation.turn !== undefined || index % 2 === 0
    await (isAsked ? ask(memory, log, asked) : log.record(asked, () => carryOut(memory, asked)))
  }
  const copies = readLogs(folder).flatMap(({ call }) =>
    call.method === 'fork' || call.method === 'import' ? [call.target] : [],
  )
  for (const session of [...sessions, ...copies]) {
    for (const method of ['read', 'listSnapshots', 'paths', 'verify'] as const) {
      const asked: Asked = { id: `${method} ${session} at the end`, session, call: { method } }
      await log.record(asked, () => carryOut(memory, asked))
    }
  }
  return readLogs(folder)
}

/** If the store does not remember it, it was not applied. If it does, the same again returns the first result. */
async function ask(memory: MemoryStore, log: Log, asked: Asked): Promise<void> {
  const isKnown = await memory.operation(asked.session, asked.id).then(
    (result) => result !== null,
    (error: unknown) => {
      if (MemoryStoreError.is(error) && error.code === 'RESULT_GONE') return true
      throw error
    },
  )
  if (isKnown) {
    await log.record(asked, () => carryOut(memory, asked))
    return
  }
  const refused: Outcome = { is: 'refused', code: 'NOT_REMEMBERED' }
  await log.record(asked, async () => refused)
}
