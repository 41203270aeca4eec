import type { MemoryStore, SessionCopy } from 'unforget'
import { makeTurns } from '../turns.ts'

export const session = 'a session of many entries'
const batch = 1000
/** Of a turn. */
const bytes = 120

/** What the calls are made on. */
export interface Filled {
  readonly memory: MemoryStore
  /** The snapshot of everything; whatever cuts the session is followed by a rollback to it. */
  readonly whole: string
  readonly entries: number
  /** Of the whole session, from when it is first needed: a million entries take long to export. */
  copy?: SessionCopy
  isDeleted?: boolean
}

export interface Call {
  readonly name: string
  /** What the call needs; not measured. */
  readonly prepare?: (filled: Filled) => Promise<unknown>
  readonly run: (filled: Filled) => Promise<unknown>
  /** Brings back what the call took away; not measured. */
  readonly undo?: (filled: Filled) => Promise<unknown>
  /** Nothing brings back what it took away: it is made once, and is the last. */
  readonly isLast?: true
}

const rollBack = ({ memory, whole }: Filled) => memory.rollbackToSnapshot(session, whole)
const saveAnother = ({ memory }: Filled) => memory.saveSnapshot(session, { id: 'another' })
const deleteAnother = ({ memory }: Filled) => memory.deleteSnapshot(session, 'another')
const exportIt = async (filled: Filled) => {
  filled.copy = await filled.memory.exportSession(session)
}
const importIt = async (filled: Filled) => {
  if (filled.copy) await filled.memory.importSession(filled.copy)
  filled.isDeleted = false
}
const deleteBy = (run: (memory: MemoryStore) => Promise<unknown>) => async (filled: Filled) => {
  await run(filled.memory)
  filled.isDeleted = true
}
const deleteIt = deleteBy((memory) => memory.deleteSession(session))
const makeWhole = async (filled: Filled) => {
  if (filled.isDeleted) await importIt(filled)
  if (!filled.copy) await exportIt(filled)
}
const user = { role: 'user' as const, content: 'and another thing' }

/** Every public call, with an input of at most 1,000 entries, in an order in which each finds the session whole. */
export const calls: readonly Call[] = [
  { name: 'addMessages of 1,000', run: ({ memory }) => memory.addMessages(session, makeTurns(batch, 0, bytes)) },
  { name: 'addMessages of 1', run: ({ memory }) => memory.addMessages(session, [user]) },
  { name: 'recordToolCall', run: ({ memory }) => memory.recordToolCall(session, { id: 'c', name: 'tool' }) },
  {
    name: 'addSummary',
    run: ({ memory }) => memory.addSummary(session, { text: 'so far', embedding: new Float32Array(1536).fill(0.1) }),
  },
  { name: 'recall', run: ({ memory }) => memory.recall(session, new Float32Array(1536).fill(0.2)) },
  { name: 'getHistory last 50', run: ({ memory }) => memory.getHistory(session, { last: 50 }) },
  { name: 'getHistory maxEntries 50', run: ({ memory }) => memory.getHistory(session, { maxEntries: 50 }) },
  {
    name: 'getHistory, a page in the middle',
    run: ({ memory, entries }) => memory.getHistory(session, { last: 50, before: Math.ceil(entries / 2) }),
  },
  {
    name: 'getHistory at a snapshot, last 50',
    run: ({ memory, whole }) => memory.getHistory(session, { at: whole, last: 50 }),
  },
  { name: 'getEntries first 1,000', run: ({ memory }) => memory.getEntries(session, { first: batch }) },
  { name: 'sessionInfo', run: ({ memory }) => memory.sessionInfo(session) },
  { name: 'listSessions', run: ({ memory }) => memory.listSessions() },
  { name: 'saveSnapshot', run: saveAnother, undo: deleteAnother },
  { name: 'listSnapshots', run: ({ memory }) => memory.listSnapshots(session) },
  { name: 'deleteSnapshot', prepare: saveAnother, run: deleteAnother },
  { name: 'rollbackToSnapshot', run: rollBack },
  { name: 'expire', run: ({ memory }) => memory.expire(session, { never: true }) },
  {
    name: 'rewind by 1,000',
    run: ({ memory, entries }) => memory.rewind(session, { to: entries - batch }),
    undo: rollBack,
  },
  { name: 'clear', run: ({ memory }) => memory.clear(session), undo: rollBack },
  { name: 'clearAll', run: ({ memory }) => memory.clearAll(), undo: rollBack },
  { name: 'health', run: ({ memory }) => memory.health() },
  { name: 'trim', run: ({ memory }) => memory.trim(session, { maxEntries: 50 }), undo: rollBack },
  {
    name: 'trim by tokens',
    run: ({ memory }) => memory.trim(session, { maxTokens: 500, countTokens: () => 10, keepSystem: true }),
    undo: rollBack,
  },
  {
    name: 'compact',
    run: ({ memory }) => memory.compact(session, { keep: 50, summarize: () => 'all that was said' }),
    undo: rollBack,
  },
  { name: 'verify', run: ({ memory }) => memory.verify(session) },
  { name: 'stats', run: ({ memory }) => memory.stats() },
  { name: 'getHistory, all of it', run: ({ memory }) => memory.getHistory(session) },
  { name: 'getEntries, all of them', run: ({ memory }) => memory.getEntries(session) },
  {
    name: 'fork',
    run: ({ memory }) => memory.fork(session, 'a fork'),
    undo: ({ memory }) => memory.deleteSession('a fork'),
  },
  { name: 'exportSession', run: exportIt },
  { name: 'deleteSession', prepare: makeWhole, run: deleteIt },
  {
    name: 'importSession',
    prepare: async (filled) => {
      if (filled.isDeleted) return
      await makeWhole(filled)
      await deleteIt(filled)
    },
    run: importIt,
  },
  {
    name: 'deleteAllSessions',
    prepare: makeWhole,
    run: deleteBy((memory) => memory.deleteAllSessions()),
  },
  {
    name: 'sweep',
    prepare: async (filled) => {
      if (filled.isDeleted) await importIt(filled)
      delete filled.copy
      const { memory } = filled
      await memory.clear(session)
      for (const { id } of await memory.listSnapshots(session)) await memory.deleteSnapshot(session, id)
    },
    run: ({ memory }) => memory.sweep(),
    isLast: true,
  },
]

export async function fill(memory: MemoryStore, entries: number): Promise<Filled> {
  for (let from = 0; from < entries; from += batch) {
    await memory.addMessages(session, makeTurns(Math.min(batch, entries - from), from, bytes))
  }
  const { id } = await memory.saveSnapshot(session, { id: 'whole' })
  return { memory, whole: id, entries }
}
