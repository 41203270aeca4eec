import { type Entry, type MemoryStore, MemoryStoreBackendError, MemoryStoreError, type SessionMemory } from 'unforget'
import type { Item, Outcome, Result } from '../checker/history.ts'
import { summaryOf } from '../checker/state.ts'
import type { Asked } from './log.ts'

type Writer = Omit<SessionMemory, 'withTurn'>

/** Calls the store, through a turn if one is given, and says what came of it. */
export async function carryOut(memory: MemoryStore, asked: Asked, turn?: Writer): Promise<Outcome> {
  try {
    return { is: 'ok', result: await call(memory, asked, turn ?? memory.session(asked.session)) }
  } catch (error) {
    return outcomeOf(error)
  }
}

export function outcomeOf(error: unknown): Outcome {
  const { message } = error as Error
  if (!MemoryStoreError.is(error)) return { is: 'untyped', code: (error as Error).name, message }
  const { code } = error
  if (code === 'RESULT_GONE') return { is: 'gone', code }
  const isUnknown = error instanceof MemoryStoreBackendError && error.applied === 'unknown'
  return { is: isUnknown ? 'unknown' : 'refused', code, message }
}

async function call(memory: MemoryStore, { id, session, call }: Asked, on: Writer): Promise<Result> {
  const conditions = {
    operationId: id,
    ...('ifVersion' in call && { ifVersion: call.ifVersion }),
    ...('ifEpoch' in call && { ifEpoch: call.ifEpoch }),
  }
  switch (call.method) {
    case 'append':
      return append(on, call.items, conditions)
    case 'trim': {
      const { version, epoch, removed } = await on.trim({ maxEntries: call.keep, ...conditions })
      return { version, epoch, count: removed }
    }
    case 'compact': {
      const summarize = (turns: readonly { content?: unknown }[]) =>
        summaryOf(turns.map(({ content }) => String(content)))
      const { version, epoch, removed, seq } = await on.compact({ keep: call.keep, summarize, ...conditions })
      return { version, epoch, count: removed, seq }
    }
    case 'clear':
      return written(await on.clear(conditions))
    case 'describe':
      return written(await on.describe({ title: call.title, ...conditions }))
    case 'saveSnapshot':
      return written(await on.saveSnapshot({ id: call.snapshot, ...conditions }))
    case 'deleteSnapshot':
      return written(await on.deleteSnapshot(call.snapshot, conditions))
    case 'rollback': {
      const { version, epoch, leftBehind } = await on.rollbackToSnapshot(call.snapshot, conditions)
      return { version, epoch, leftBehind }
    }
    case 'rewind': {
      const { to, before, add, snapshot } = call
      const place = before === undefined ? { to: to ?? 0 } : { before }
      const { version, epoch, removed, seqs } = await on.rewind({
        ...place,
        ...conditions,
        ...(add && { add: add.map((content) => ({ role: 'user', content })) }),
        ...(snapshot !== undefined && { snapshot: { id: snapshot } }),
      })
      return { version, epoch, removed: removed.map(({ seq }) => seq), seqs }
    }
    case 'fork': {
      const { version, epoch } = await memory.fork(session, call.target, { ifVersion: call.ifVersion, operationId: id })
      return { version, epoch }
    }
    case 'delete':
      return { deleted: await on.deleteSession({ ifVersion: call.ifVersion }) }
    case 'import': {
      const copy = await memory.exportSession(session)
      const { version, epoch } = await memory.importSession({ ...copy, id: call.target }, { operationId: id })
      return { version, epoch }
    }
    case 'read': {
      const { last, at } = call
      const entries = await on.getEntries({ ...(at !== undefined && { at }), ...(last !== undefined && { last }) })
      return { ...written(entries), seqs: entries.map(({ seq }) => seq), items: entries.map(itemOf) }
    }
    case 'listSnapshots': {
      const snapshots = await on.listSnapshots()
      return { snapshots: snapshots.filter((one) => !one.automatic).map((one) => [one.id, one.entries] as const) }
    }
    case 'paths': {
      const paths = await on.paths()
      return paths === null ? { version: null, epoch: null } : { ...written(paths), end: paths.end }
    }
    case 'recall':
      return { seqs: (await on.recall([1, 0], { k: 3 })).map(({ seq }) => seq) }
    case 'verify':
      return { ok: (await memory.verify(session)).ok }
    case 'sweep':
      await memory.sweep(session)
      return {}
  }
}

function written({ version, epoch }: { version: string | null; epoch: string | null }): Result {
  return { version, epoch }
}

async function append(on: Writer, items: readonly Item[], conditions: object): Promise<Result> {
  const [first] = items
  if (items.length === 1 && first?.kind === 'toolCall') {
    const { version, epoch, seq } = await on.recordToolCall({ id: first.text, name: 'tool', arguments: {} }, conditions)
    return { version, epoch, seqs: [seq] }
  }
  if (items.length === 1 && first?.kind === 'summary') {
    const { version, epoch, seq } = await on.addSummary({ text: first.text, embedding: [1, 1] }, conditions)
    return { version, epoch, seqs: [seq] }
  }
  if (items.every(({ kind }) => kind === 'message')) {
    const { version, epoch, seqs } = await on.addMessages(items.map(messageOf), conditions)
    return { version, epoch, seqs }
  }
  const { version, epoch, seqs } = await on.addEntries(items.map(entryOf), conditions)
  return { version, epoch, seqs }
}

function messageOf({ text }: Item) {
  return { role: 'user', content: text }
}

function entryOf(item: Item) {
  switch (item.kind) {
    case 'message':
      return { kind: 'message' as const, message: messageOf(item) }
    case 'toolCall':
      return { kind: 'toolCall' as const, toolCall: { id: item.text, name: 'tool', arguments: {} } }
    case 'summary':
      return { kind: 'summary' as const, summary: { text: item.text, embedding: [1, 0] } }
    case 'record':
      return { kind: 'record' as const, record: { type: item.text } }
  }
}

function itemOf(entry: Entry): Item {
  switch (entry.kind) {
    case 'message':
      return { kind: 'message', text: String(entry.message.content) }
    case 'toolCall':
      return { kind: 'toolCall', text: entry.toolCall.id }
    case 'summary':
      return { kind: 'summary', text: entry.summary.text }
    case 'record':
      return { kind: 'record', text: entry.record.type }
  }
}
