import { join } from 'node:path'
import type { RunnableConfig } from '@langchain/core/runnables'
import { uuid6 } from '@langchain/langgraph-checkpoint'
import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { checkpointWith, put, thread } from './checkpoints.ts'
import { allOf } from './compare-savers.ts'

/** Two savers on one file: what one writes, the other reads from the file. */
async function twoSavers(options = {}): Promise<[UnforgetSaver, UnforgetSaver]> {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  const savers = [await UnforgetSaver.fromUrl(url, options), await UnforgetSaver.fromUrl(url, options)] as const
  onTestFinished(async () => {
    for (const saver of savers) await saver.close()
  })
  return [...savers]
}

const long = (...numbers: number[]) => numbers.map((number) => `${number} `.padEnd(500, 'abc,"]['))

test('a second machine whose clock is seconds behind does not lose its turn', async () => {
  const [ahead, behind] = await twoSavers()
  const config = await put(
    ahead,
    thread('1'),
    checkpointWith({ turns: ['first'] }, 1, '1f0e0000-0000-6000-8000-000000000002'),
  )
  const later = checkpointWith({ turns: ['first', 'second'] }, 2, '1f0d0000-0000-6000-8000-000000000001')
  await put(behind, config, later)
  expect((await ahead.getTuple(thread('1')))?.checkpoint.channel_values).toEqual({ turns: ['first', 'second'] })
  const listed = await allOf(ahead.list(thread('1')))
  expect(listed.map(({ checkpoint }) => checkpoint.id)).toEqual([later.id, config.configurable?.['checkpoint_id']])
  const before = await allOf(ahead.list(thread('1'), { before: thread('1', { checkpoint_id: later.id }) }))
  expect(before.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([{ turns: ['first'] }])
})

test('bytes come back, as a channel and as a pending write', async () => {
  const [saver, reader] = await twoSavers()
  const bytes = new Uint8Array([0, 255, 128, 10])
  const config = await put(saver, thread('1'), checkpointWith({ image: bytes, images: [bytes, { bytes }] }))
  await saver.putWrites(config, [['image', bytes]], 'task')
  const tuple = await reader.getTuple(config)
  expect(tuple?.checkpoint.channel_values).toEqual({ image: bytes, images: [bytes, { bytes }] })
  expect(tuple?.pendingWrites).toEqual([['task', 'image', bytes]])
})

test('a BigInt in the state, a write or the metadata is refused, and nothing is written', async () => {
  const [saver] = await twoSavers()
  const refused = { code: 'INVALID_ENTRY' }
  await expect(put(saver, thread('1'), checkpointWith({ amount: 1n }))).rejects.toMatchObject({
    ...refused,
    path: 'channel_values.amount',
  })
  await expect(put(saver, thread('1'), checkpointWith({ amounts: [1, { of: 1n }] }))).rejects.toMatchObject(refused)
  await expect(put(saver, thread('1'), checkpointWith({}), { user: 1n })).rejects.toMatchObject(refused)
  await expect(saver.putWrites(thread('1', { checkpoint_id: 'x' }), [['a', 1n]], 'task')).rejects.toMatchObject(refused)
  expect(await saver.getTuple(thread('1'))).toBeUndefined()
  expect(await saver.memory.sessionInfo(saver.sessionOf('1'))).toBeNull()
  const said = '[unable to serialize, circular reference is too complex to analyze]'
  await put(saver, thread('1'), checkpointWith({ said }))
  expect((await saver.getTuple(thread('1')))?.checkpoint.channel_values).toEqual({ said })
})

test('writes without a namespace, and before their checkpoint, are kept', async () => {
  const [saver, reader] = await twoSavers()
  const checkpoint = checkpointWith({})
  await saver.putWrites(
    thread('1', { checkpoint_id: checkpoint.id }),
    [
      ['animals', 'dog'],
      ['animals', 'cat'],
    ],
    'task',
  )
  await put(saver, thread('1', { checkpoint_ns: '' }), checkpoint)
  for (const one of [saver, reader]) {
    expect((await one.getTuple(thread('1')))?.pendingWrites).toEqual([
      ['task', 'animals', 'dog'],
      ['task', 'animals', 'cat'],
    ])
  }
})

test('of two writes with one index the first stays, and of a special channel the last', async () => {
  const [saver, reader] = await twoSavers()
  const config = await put(saver, thread('1'), checkpointWith({}))
  await saver.putWrites(
    config,
    [
      ['a', 1],
      ['b', 1],
    ],
    'task',
  )
  await reader.putWrites(
    config,
    [
      ['a', 2],
      ['b', 2],
      ['c', 2],
    ],
    'task',
  )
  await saver.putWrites(config, [['__interrupt__', 1]], 'task')
  await reader.putWrites(config, [['__interrupt__', 2]], 'task')
  for (const one of [saver, reader]) {
    expect((await one.getTuple(config))?.pendingWrites).toEqual([
      ['task', 'a', 1],
      ['task', 'b', 1],
      ['task', 'c', 2],
      ['task', '__interrupt__', 2],
    ])
  }
})

test('threads 42 and "42" are one; no thread is refused', async () => {
  const [saver, reader] = await twoSavers()
  await put(saver, thread(42), checkpointWith({ name: 'Wang' }))
  expect((await reader.getTuple(thread('42')))?.checkpoint.channel_values).toEqual({ name: 'Wang' })
  expect(await allOf(reader.list(thread(42)))).toHaveLength(1)
  for (const none of [undefined, null, '', {}, true]) {
    await expect(put(saver, { configurable: { thread_id: none } }, checkpointWith({}))).rejects.toThrow(TypeError)
  }
})

test('limit 0 lists nothing; filters by a dotted key and by an object hold exactly', async () => {
  const [saver] = await twoSavers()
  const put1 = await put(saver, thread('1'), checkpointWith({}), { 'user.id': 7, user: { id: 8, tags: ['a'] } })
  const put2 = await put(saver, put1, checkpointWith({}, 2), { 'user.id': 8, user: { id: 7, tags: ['b'] } })
  const idsOf = async (filter: Record<string, unknown>, limit?: number) =>
    (await allOf(saver.list(thread('1'), { filter, ...(limit !== undefined && { limit }) }))).map(
      ({ config }) => config.configurable?.['checkpoint_id'],
    )
  const [first, second] = [put1, put2].map(({ configurable }) => configurable?.['checkpoint_id'])
  expect(await idsOf({}, 0)).toEqual([])
  expect(await idsOf({}, 1)).toEqual([second])
  expect(await idsOf({ 'user.id': 7 })).toEqual([first])
  expect(await idsOf({ user: { tags: ['b'], id: 7 } })).toEqual([second])
  expect(await idsOf({ user: { id: 7 } })).toEqual([])
  expect(await idsOf({ source: 'loop', nothing: undefined })).toEqual([second, first])
})

test('deleteThread on a fresh file does nothing, and removes all namespaces of a thread', async () => {
  const [saver, reader] = await twoSavers()
  await saver.deleteThread('1')
  await put(saver, thread('1'), checkpointWith({ a: 1 }))
  const inner = await put(saver, thread('1', { checkpoint_ns: 'inner' }), checkpointWith({ a: 1 }))
  await saver.putWrites(inner, [['a', 1]], 'task')
  await reader.deleteThread('1')
  expect(await allOf(saver.list(thread('1')))).toEqual([])
  expect(await saver.getTuple(inner)).toBeUndefined()
})

test('siblings with equal version numbers keep their own values, and so does a copy of one', async () => {
  const [saver, reader] = await twoSavers()
  const parent = await put(saver, thread('1'), checkpointWith({ log: ['start'], last: 'start' }))
  const left = checkpointWith({ log: ['start', 'left'], last: 'left' }, 2)
  const right = checkpointWith({ log: ['start', 'right'], last: 'right' }, 2)
  const [leftConfig, rightConfig] = [await put(saver, parent, left), await put(reader, parent, right)]
  const copied = { ...left, id: uuid6(3) }
  const copy = await saver.put(parent, copied, { source: 'fork', step: 2, parents: {} }, {})
  for (const one of [saver, reader]) {
    expect((await one.getTuple(leftConfig))?.checkpoint.channel_values).toEqual(left.channel_values)
    expect((await one.getTuple(rightConfig))?.checkpoint.channel_values).toEqual(right.channel_values)
    expect((await one.getTuple(copy))?.checkpoint.channel_values).toEqual(left.channel_values)
  }
})

test('a checkpoint that is put again replaces the first, and those that continued the first stay', async () => {
  const [saver, reader] = await twoSavers()
  const first = checkpointWith({ log: ['a', 'b'] }, 1)
  const config = await put(saver, thread('1'), first)
  const child = await put(saver, config, checkpointWith({ log: ['a', 'b', 'c'] }, 2))
  await put(saver, thread('1'), { ...first, channel_values: { log: ['other'] } })
  for (const one of [saver, reader]) {
    expect((await one.getTuple(child))?.checkpoint.channel_values).toEqual({ log: ['a', 'b', 'c'] })
    expect((await one.getTuple(config))?.checkpoint.channel_values).toEqual({ log: ['other'] })
  }
})

test.each([
  ['append', [1, 2, 3], [1, 2, 3, 4]],
  ['prefix of a number', [1], [12]],
  ['end of a number', [12, 3], [2, 3]],
  ['edit', ['a', 'b', 'c'], ['a', 'B', 'c']],
  ['remove', ['a', 'b', 'c'], ['a', 'c']],
  ['sliding window', ['a', 'b', 'c'], ['b', 'c', 'd']],
  ['sliding window of long items', long(1, 2, 3, 4), long(3, 4, 5, 6)],
  ['window that ends within an item', long(1, 2, 3), [...long(2), 'x']],
  ['nested item that looks like the rest', [[1, ...long(2)], 3], [...long(2), 4]],
  ['summary', ['a', 'b', 'c', 'd'], ['summary', 'c', 'd']],
  ['reorder', ['a', 'b', 'c'], ['c', 'a', 'b']],
  ['repeat', ['a', 'b'], ['a', 'a', 'b', 'b', 'a']],
  ['empty', ['a'], []],
  ['fill', [], ['a']],
  ['of lists', [[], [1]], [[], [1], [[2]]]],
  ['odd items', [null, undefined, '"],['], [null, undefined, '"],[', undefined, { __proto__: null, a: [] }]],
])('a list comes back exactly: %s', async (_name, before, after) => {
  const [saver, reader] = await twoSavers()
  const config = await put(saver, thread('1'), checkpointWith({ list: before }))
  const next = await put(reader, config, checkpointWith({ list: after }, 2))
  const last = await put(saver, next, checkpointWith({ list: before }, 3))
  for (const one of [saver, reader]) {
    expect((await one.getTuple(config))?.checkpoint.channel_values).toEqual({ list: before })
    expect((await one.getTuple(next))?.checkpoint.channel_values).toEqual({ list: after })
    expect((await one.getTuple(last))?.checkpoint.channel_values).toEqual({ list: before })
  }
})

test('a serializer of the caller is used for everything, and one that encrypts differently each time still stores little', async () => {
  let salt = 0
  const serde = {
    async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
      salt += 1
      const text = JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}n` : one))
      return ['secret', Buffer.from(`${salt}:${Buffer.from(text).toString('base64')}`)]
    },
    async loadsTyped(type: string, data: Uint8Array | string): Promise<unknown> {
      expect(type).toBe('secret')
      const text = Buffer.from(
        Buffer.from(data as Uint8Array)
          .toString()
          .split(':')[1] ?? '',
        'base64',
      ).toString()
      return JSON.parse(text, (_key, one) => (/^\d+n$/.test(one) ? BigInt(one.slice(0, -1)) : one))
    },
  }
  const [saver, reader] = await twoSavers({ serde })
  const log: unknown[] = ['needle'.padEnd(2000, 'x'), 7n]
  let config: RunnableConfig = thread('1')
  for (let version = 1; version <= 20; version++) {
    log.push(`turn ${version}`)
    config = await put(version % 2 ? saver : reader, config, checkpointWith({ log: [...log], big: 9n }, version))
  }
  await saver.putWrites(config, [['log', 5n]], 'task')
  const tuple = await reader.getTuple(config)
  expect(tuple?.checkpoint.channel_values).toEqual({ log, big: 9n })
  expect(tuple?.pendingWrites).toEqual([['task', 'log', 5n]])
  const { bytes } = await saver.memory.stats()
  expect(bytes).toBeLessThan(20_000)
})

test('a thread that was forked, exported, rolled back or rewound is what it was then', async () => {
  const [saver, reader] = await twoSavers()
  const session = saver.sessionOf('1')
  const first = await put(saver, thread('1'), checkpointWith({ log: ['a'] }))
  const snapshot = await saver.memory.saveSnapshot(session)
  await put(saver, first, checkpointWith({ log: ['a', 'b'] }, 2))
  await reader.getTuple(thread('1'))
  await saver.memory.rollbackToSnapshot(session, snapshot.id)
  const other = await put(reader, first, checkpointWith({ log: ['a', 'c'] }, 2))
  expect((await saver.getTuple(thread('1')))?.checkpoint.channel_values).toEqual({ log: ['a', 'c'] })
  await put(saver, other, checkpointWith({ log: ['a', 'c', 'd'] }, 3))
  await saver.memory.fork(session, saver.sessionOf('2'))
  await put(
    reader,
    thread('2', { checkpoint_id: other.configurable?.['checkpoint_id'] }),
    checkpointWith({ log: ['a', 'c', 'e'] }, 3),
  )
  expect((await saver.getTuple(thread('2')))?.checkpoint.channel_values).toEqual({ log: ['a', 'c', 'e'] })
  expect((await saver.getTuple(thread('1')))?.checkpoint.channel_values).toEqual({ log: ['a', 'c', 'd'] })
  const [elsewhere] = await twoSavers()
  await elsewhere.memory.importSession(await saver.memory.exportSession(session))
  expect(await allOf(elsewhere.list(thread('1')))).toEqual(await allOf(saver.list(thread('1'))))
})

test('a thread that was deleted and begun anew by another process is only what it is now', async () => {
  const [saver, other] = await twoSavers()
  const first = await put(saver, thread('1'), checkpointWith({ log: ['old'] }))
  await saver.putWrites(first, [['log', 'old']], 'task')
  await other.deleteThread('1')
  let config: RunnableConfig = thread('1')
  for (const version of [11, 12, 13]) config = await put(other, config, checkpointWith({ log: [version] }, version))
  expect(await allOf(saver.list(thread('1')))).toEqual(await allOf(other.list(thread('1'))))
  expect(await saver.getTuple(first)).toBeUndefined()
})

test('a checkpoint whose base is gone is reported as lost, not as less', async () => {
  const [saver, reader] = await twoSavers()
  const first = await put(saver, thread('1'), checkpointWith({ log: ['a'] }))
  const second = await put(saver, first, checkpointWith({ log: ['a', 'b'] }, 2))
  const [, entry] = await saver.memory.getEntries(saver.sessionOf('1'))
  await saver.memory.addEntries(reader.sessionOf('2'), entry ? [entry] : [])
  await expect(reader.getTuple(thread('2'))).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  expect((await reader.getTuple(second))?.checkpoint.channel_values).toEqual({ log: ['a', 'b'] })
})
