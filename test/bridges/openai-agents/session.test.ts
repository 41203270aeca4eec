import { type AgentInputItem, MemorySession, protocol, type SessionHistoryTransactionArgs } from '@openai/agents-core'
import { type MemoryStore, openMemory } from 'unforget'
import { UnforgetSession } from 'unforget/openai-agents'
import { describe, expect, test } from 'vitest'
import { everyBackend } from '../../backends/every-backend.ts'
import { itemsOfEveryKind } from './items-of-every-kind.ts'

const { cases } = await everyBackend()

const said = (content: string): AgentInputItem => ({ role: 'user', content })
const call = (callId: string, args = '{}'): Extract<AgentInputItem, { type: 'function_call' }> => ({
  type: 'function_call',
  callId,
  name: 'search',
  arguments: args,
})

/** Transactions under ids that were used before, by the steps of the test below; the last two are repeated as they were. */
const reusedIds: SessionHistoryTransactionArgs[] = [
  {
    operationId: '2',
    transaction: { type: 'replace_suffix', expectedSuffix: [said('e')], replacement: [said('f')] },
  },
  { operationId: '4', transaction: { type: 'append_items', items: [said('i'), said('j')] } },
  {
    operationId: '1',
    transaction: { type: 'replace_suffix', expectedSuffix: [], replacement: [said('d'), said('e')] },
  },
  {
    operationId: '5',
    transaction: { type: 'replace_suffix', expectedSuffix: [said('i')], replacement: [] },
  },
  {
    operationId: '5',
    transaction: { type: 'replace_suffix', expectedSuffix: [said('j')], replacement: [] },
  },
  {
    operationId: '4',
    transaction: { type: 'replace_suffix', expectedSuffix: [], replacement: [said('i'), said('j')] },
  },
]

test('the items of the tests are items of the SDK, one of each kind', () => {
  for (const item of itemsOfEveryKind) expect(protocol.ModelItem.safeParse(item).error, item.type ?? '').toBeUndefined()
  const kinds = new Set(itemsOfEveryKind.map(({ type = 'message' }) => type))
  expect(kinds.size).toBe(protocol.OutputModelItem.options.length + 1)
})

test('a store of any type of messages, or a turn, has sessions for it', async () => {
  const memory = await openMemory<AgentInputItem>('memory:')
  await memory.withTurn('a', async (turn) => {
    await new UnforgetSession(turn).addItems([said('hello')])
  })
  const plain: MemoryStore = await openMemory('memory:')
  const session = new UnforgetSession(plain.session('a'))
  expect(await session.getSessionId()).toBe('a')
  expect(await session.getItems()).toEqual([])
  expect(await memory.getHistory('a')).toEqual([said('hello')])
})

describe.each(cases)('on %s', (_name, open) => {
  test('items of every kind come back equal', async () => {
    const { store } = await open()
    const session = new UnforgetSession(store.session('s'))
    await session.addItems(itemsOfEveryKind)
    expect(await session.getItems()).toStrictEqual(itemsOfEveryKind)
    const texts = JSON.stringify(await session.getItems())
    expect(texts).toBe(JSON.stringify(itemsOfEveryKind))
  })

  test('every method does what that of MemorySession does', async () => {
    const { store } = await open()
    const both = [new MemorySession({ sessionId: 's' }), new UnforgetSession(store.session('s'))] as const
    const steps: ((session: MemorySession | UnforgetSession) => Promise<unknown>)[] = [
      (one) => one.getSessionId(),
      (one) => one.getItems(),
      (one) => one.popItem(),
      (one) => one.addItems([]),
      (one) => one.addItems(itemsOfEveryKind),
      ...[0, -1, 1, 3, 2.5, 1000, Number.POSITIVE_INFINITY].map(
        (limit) => (one: MemorySession | UnforgetSession) => one.getItems(limit),
      ),
      (one) => one.popItem(),
      (one) => one.addItems([said('a'), call('x'), said('b'), call('x', '{"again":1}'), said('c')]),
      (one) => one.applyHistoryMutations({ mutations: [] }),
      (one) =>
        one.applyHistoryMutations({
          mutations: [{ type: 'replace_function_call', callId: 'none', replacement: call('y') }],
        }),
      (one) =>
        one.applyHistoryMutations({
          mutations: [{ type: 'replace_function_call', callId: 'x', replacement: call('x', '1') }],
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '1',
          transaction: { type: 'append_items', items: [said('d'), said('e')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '1',
          transaction: { type: 'append_items', items: [said('d'), said('e')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '1',
          transaction: { type: 'append_items', items: [said('other')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '2',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('d'), said('e')], replacement: [said('f')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '2',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('d'), said('e')], replacement: [said('f')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '2',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('f')], replacement: [said('g')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '3',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('not there')], replacement: [said('h')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '4',
          transaction: { type: 'replace_suffix', expectedSuffix: [], replacement: [said('i'), said('j')] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '5',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('j')], replacement: [] },
        }),
      ...reusedIds.map(
        (args) => (one: MemorySession | UnforgetSession) => one.applyHistoryTransaction(structuredClone(args)),
      ),
      (one) => one.applyHistoryTransaction({ operationId: ' ', transaction: { type: 'append_items', items: [] } }),
      (one) => one.applyHistoryTransaction({ operationId: '6', transaction: { type: 'none' } as never }),
      (one) => one.clearSession(),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '7',
          transaction: { type: 'replace_suffix', expectedSuffix: [said('j')], replacement: [] },
        }),
      (one) =>
        one.applyHistoryTransaction({
          operationId: '8',
          transaction: { type: 'replace_suffix', expectedSuffix: [], replacement: [said('k')] },
        }),
      (one) => one.popItem(),
      (one) => one.popItem(),
    ]
    for (const [index, step] of steps.entries()) {
      const [theirs, ours] = await Promise.all(both.map((one) => step(one).catch(() => 'refused')))
      expect(ours, `step ${index}`).toStrictEqual(theirs)
      expect(await both[1].getItems(), `after step ${index}`).toStrictEqual(await both[0].getItems())
    }
  })

  test('an id that was used for another transaction is refused with a typed error, and nothing changes', async () => {
    const { store } = await open()
    const session = new UnforgetSession(store.session('s'))
    await session.addItems([said('a'), said('b'), said('c')])
    const replace = (expected: string[], replacement: string[]) =>
      session.applyHistoryTransaction({
        operationId: 'once',
        transaction: {
          type: 'replace_suffix',
          expectedSuffix: expected.map(said),
          replacement: replacement.map(said),
        },
      })
    await replace(['b', 'c'], ['d'])
    const { version } = await store.getHistory('s')
    await replace(['b', 'c'], ['d'])
    const refused = { name: 'OperationConflictError', code: 'OPERATION_CONFLICT', operationId: 'once' }
    for (const [expected, replacement] of [
      [['c'], ['d']],
      [['d'], ['d']],
      [[], ['d']],
      [['b', 'c'], ['e']],
      [['b', 'c'], []],
    ] as const) {
      await expect(replace([...expected], [...replacement])).rejects.toMatchObject(refused)
    }
    expect((await store.getHistory('s')).version).toBe(version)
    expect(await session.getItems()).toEqual([said('a'), said('d')])
  })

  test('what was recorded with a suffix is cut with it, and what was recorded before stays', async () => {
    const { store } = await open()
    const session = new UnforgetSession(store.session('s'))
    await session.addItems([said('a')])
    await store.recordToolCall('s', { id: 'of a', name: 'search' })
    await session.addItems([call('x')])
    await store.recordToolCall('s', { id: 'x', name: 'search', result: 'found' })
    await store.addEntries('s', [{ kind: 'record', record: { type: 'state' } }])
    const before = await store.getEntries('s')
    const { id } = await store.saveSnapshot('s')
    await session.applyHistoryTransaction({
      operationId: '1',
      transaction: { type: 'replace_suffix', expectedSuffix: [call('x')], replacement: [said('b')] },
    })
    expect(await session.getItems()).toEqual([said('a'), said('b')])
    const calls = await store.getEntries('s', { kinds: ['toolCall'] })
    expect(calls).toMatchObject([{ toolCall: { id: 'of a' } }])
    expect(await store.getEntries('s', { at: id })).toEqual(before)
    await store.rollbackToSnapshot('s', id)
    expect(await session.popItem()).toEqual(call('x'))
    expect(await store.getEntries('s')).toEqual(before.slice(0, 2))
  })

  test('a replaced call keeps what was recorded after it', async () => {
    const { store } = await open()
    const session = new UnforgetSession(store.session('s'))
    await session.addItems([said('a'), call('x'), said('b')])
    await store.recordToolCall('s', { id: 'x', name: 'search', result: new Uint8Array([1]) })
    await store.addSummary('s', { text: 'by hand', embedding: [1, 0] })
    await session.addItems([said('c')])
    const before = await store.getEntries('s')
    await session.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'x', replacement: call('x', '1') }],
    })
    const contentOf = ({ seq, at, ...content }: (typeof before)[number]) => content
    const expected = before.map(contentOf)
    expected[1] = { kind: 'message', message: call('x', '1') as never }
    expect((await store.getEntries('s')).map(contentOf)).toEqual(expected)
  })

  test('20 pops at once take 20 different items, while others are added', async () => {
    const { store } = await open()
    const sessions = Array.from({ length: 4 }, () => new UnforgetSession(store.session('s')))
    const items = Array.from({ length: 25 }, (_, index) => said(`item ${index}`))
    await sessions[0]?.addItems(items)
    const pops = Array.from({ length: 20 }, (_, index) => sessions[index % 4]?.popItem())
    const [popped] = await Promise.all([Promise.all(pops), sessions[0]?.addItems([said('added meanwhile')])])
    const left = (await sessions[1]?.getItems()) ?? []
    expect(new Set(popped.map((item) => JSON.stringify(item))).size).toBe(20)
    expect([...left, ...popped]).toHaveLength(26)
    expect([...left, ...popped]).toEqual(expect.arrayContaining([...items, said('added meanwhile')]))
  })

  test('a replaced history is one commit, and a summary of a compaction is an item', async () => {
    const { store } = await open()
    const session = new UnforgetSession(store.session('s'))
    await session.addItems([said('a'), said('b'), said('c')])
    await store.compact('s', { keep: 1, summarize: () => 'a and b' })
    const shortened = await session.getItems()
    expect(shortened).toEqual([{ role: 'system', content: 'a and b' }, said('c')])
    for (const item of shortened) expect(protocol.ModelItem.safeParse(item).success).toBe(true)
    await session.replaceHistoryWithCompaction([{ type: 'compaction', encrypted_content: 'x' }, said('d')])
    expect(await session.getItems()).toEqual([{ type: 'compaction', encrypted_content: 'x' }, said('d')])
    expect(await store.verify()).toMatchObject({ ok: true, sessions: 1 })
  })
})
