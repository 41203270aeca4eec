import { expect, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/memory-backend.ts'
import { type Backend, MemoryStore, type MessageInput } from '../../src/index.ts'

const turns = (count: number): MessageInput[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}` }))

/** A store whose calls to its backend are told. */
function counted() {
  const calls: string[] = []
  const backend: Backend = new Proxy(new MemoryBackend(), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        calls.push(String(name))
        return Reflect.apply(value, target, args)
      }
    },
  })
  const memory = new MemoryStore(backend)
  return {
    memory,
    callsOf: async (run: () => Promise<unknown>): Promise<string> => {
      calls.length = 0
      await run()
      return calls.join(' ')
    },
  }
}

/** Each on a session of 50 turns, a record, a summary and the snapshot `s`, as its @cost says. */
const costs: readonly [title: string, calls: string, run: (memory: MemoryStore) => Promise<unknown>][] = [
  ['addMessages', 'commit', (memory) => memory.addMessages('a', turns(50))],
  ['addMessages of none', 'read', (memory) => memory.addMessages('a', [])],
  ['recordToolCall', 'commit', (memory) => memory.recordToolCall('a', { id: '1', name: 'find' })],
  ['addSummary', 'commit', (memory) => memory.addSummary('a', { text: 'short' })],
  ['getHistory', 'read', (memory) => memory.getHistory('a')],
  ['getHistory, last, with records between', 'read', (memory) => memory.getHistory('a', { last: 10 })],
  ['getHistory, last, with many records between', 'read read', (memory) => memory.getHistory('mixed', { last: 10 })],
  ['getEntries, last', 'read', (memory) => memory.getEntries('a', { last: 10 })],
  ['getHistory, first', 'read', (memory) => memory.getHistory('a', { first: 10 })],
  ['getHistory, before', 'read', (memory) => memory.getHistory('a', { last: 10, before: 30 })],
  ['getHistory, after', 'read', (memory) => memory.getHistory('a', { first: 10, after: 30 })],
  ['getHistory, at', 'read', (memory) => memory.getHistory('a', { at: 's' })],
  ['getHistory, before and at', 'read', (memory) => memory.getHistory('a', { last: 10, before: 30, at: 's' })],
  ['getHistory, last and at', 'read', (memory) => memory.getHistory('a', { last: 10, at: 's' })],
  ['getEntries, first', 'read', (memory) => memory.getEntries('long', { first: 1000 })],
  ['getEntries, before', 'read', (memory) => memory.getEntries('long', { last: 1000, before: 2000 })],
  ['getEntries, after', 'read', (memory) => memory.getEntries('long', { first: 1000, after: 700 })],
  ['getEntries, last and after', 'read', (memory) => memory.getEntries('long', { last: 50, after: 700 })],
  ['getEntries, last and at', 'read', (memory) => memory.getEntries('cut', { last: 10, at: 's' })],
  [
    'getEntries, before and at, across a cut',
    'read',
    (memory) => memory.getEntries('cut', { last: 9, before: 33, at: 's' }),
  ],
  [
    'getEntries, after and at, across a cut',
    'read',
    (memory) => memory.getEntries('cut', { first: 9, after: 18, at: 's' }),
  ],
  ['getEntries, first, after a trim', 'read', (memory) => memory.getEntries('trimmed', { first: 10 })],
  ['getEntries, before, across a cut', 'read', (memory) => memory.getEntries('cut', { last: 10, before: 32 })],
  ['getEntries, after a seq, after a cut', 'read', (memory) => memory.getEntries('cut', { first: 10, after: 31 })],
  ['addEntries', 'commit', (memory) => memory.addEntries('a', [{ kind: 'record', record: { type: 'r' } }])],
  ['paths', 'snapshots', (memory) => memory.paths('a')],
  ['getHistory with a budget', 'read read', (memory) => memory.getHistory('a', { maxEntries: 10 })],
  ['trim', 'read read commit snapshots', (memory) => memory.trim('a', { maxEntries: 10 })],
  ['trim of nothing', 'read read', (memory) => memory.trim('a', { maxEntries: 99 })],
  ['clear', 'read commit snapshots', (memory) => memory.clear('a')],
  ['compact', 'read read read commit', (memory) => memory.compact('a', { keep: 10, summarize: () => 'short' })],
  ['saveSnapshot', 'commit', (memory) => memory.saveSnapshot('a')],
  ['listSnapshots', 'snapshots', (memory) => memory.listSnapshots('a')],
  ['rollbackToSnapshot', 'read commit', (memory) => memory.rollbackToSnapshot('a', 's')],
  ['deleteSnapshot', 'commit snapshots', (memory) => memory.deleteSnapshot('a', 's')],
  ['rewind', 'read read commit', (memory) => memory.rewind('a', { to: 40 })],
  [
    'rewind that adds',
    'read read commit',
    (memory) => memory.rewind('a', { before: 40, add: turns(2), snapshot: true }),
  ],
  ['rewind that begins', 'read commit', (memory) => memory.rewind('new', { to: 0, add: turns(2) })],
  ['fork', 'read read commit', (memory) => memory.fork('a', 'b')],
  ['recall', 'read read', (memory) => memory.recall('a', [1, 0])],
  ['sessionInfo', 'read', (memory) => memory.sessionInfo('a')],
  ['listSessions', 'sessions', (memory) => memory.listSessions()],
  ['listSessions of an owner', 'sessionsOf', (memory) => memory.listSessions({ owner: 'ann' })],
  ['describe', 'read commit', (memory) => memory.describe('a', { title: 'short' })],
  ['deleteSessions of nobody', 'sessionsOf reclaim', (memory) => memory.deleteSessions({ owner: 'ann' })],
  ['deleteSession', 'erase reclaim', (memory) => memory.deleteSession('a')],
  ['expire', 'read commit', (memory) => memory.expire('a', { never: true })],
  ['exportSession', 'snapshots read read', (memory) => memory.exportSession('a')],
  ['health', 'health', (memory) => memory.health()],
  ['getHistory of 2,500 turns', 'read read read', (memory) => memory.getHistory('long')],
  [
    'fork of 2,500 turns',
    'read read read read stage read stage stage commit unstage',
    (memory) => memory.fork('long', 'b'),
  ],
  ['saveSnapshot of 2,500 turns', 'commit', (memory) => memory.saveSnapshot('long')],
  ['clear of 2,500 turns', 'read commit snapshots drop', (memory) => memory.clear('long')],
]

test.each(costs)('%s costs what its doc comment says: %s', async (_title, calls, run) => {
  const { memory, callsOf } = counted()
  await memory.addMessages('a', turns(50))
  await memory.recordToolCall('a', { id: '1', name: 'find' })
  await memory.addSummary('a', { text: 'short', embedding: [1, 0] })
  await memory.saveSnapshot('a', { id: 's' })
  await memory.addMessages('long', turns(2500))
  await memory.addMessages('trimmed', turns(50))
  await memory.trim('trimmed', { maxEntries: 20 })
  await memory.addMessages('cut', turns(30))
  await memory.rewind('cut', { to: 20, add: turns(20) })
  await memory.saveSnapshot('cut', { id: 's' })
  for (const message of turns(30)) {
    const record = { kind: 'record' as const, record: { type: 'state' } }
    await memory.addEntries('mixed', [{ kind: 'message', message }, record])
  }
  expect(await callsOf(() => run(memory))).toBe(calls)
})
