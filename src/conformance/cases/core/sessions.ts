import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { hostileIds } from '../helpers/hostile-ids.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const core = { level: 'core' } as const

/** Ids that are equal to stores that decode, fold, collate or join keys. */
const lookAlikes = [
  'a b',
  'a+b',
  'a%20b',
  'strasse',
  'straße',
  'ırmak',
  'irmak',
  'user\u200b',
  'user\t',
  'user:messages',
  'user:meta',
  'user,1',
  '1000',
  '1e3',
  'true',
  '[]',
  '[object Object]',
  '.',
  '..',
  '丁',
  '企',
  '9007199254740992',
  '9007199254740993',
]

/** Adds a turn to every session that names the session. */
const sign = (store: FullStore, id: string, count = 1) =>
  store.addMessages(
    id,
    Array.from({ length: count }, () => ({ role: 'user' as const, content: id })),
  )

export const sessions: WrittenCase[] = [
  {
    ...core,
    id: 'isolation.1/ids-that-look-alike',
    clause: 'isolation.1',
    title: 'hundreds of sessions stay separate, even if their ids look alike, contain each other or look like code',
    async run({ store }) {
      const ids = [...hostileIds, ...lookAlikes, ...Array.from({ length: 250 }, (_, index) => `user-${index}`)]
      await Promise.all(ids.map((id) => sign(store, id)))
      const read = await Promise.all(ids.map((id) => store.getHistory(id)))
      for (const [index, id] of ids.entries()) same(texts(read[index] ?? []), [id], `session ${JSON.stringify(id)}`)
    },
  },
  {
    ...core,
    id: 'isolation.3/two-conversations-interleaved',
    clause: 'isolation.3',
    title: 'two interleaved conversations do not mix their turns or their fields',
    async run({ store, again }) {
      const other = await again()
      const secret = { role: 'user' as const, content: 'my card', metadata: { card: '4111' }, secret: 'yes' }
      const numbered = (from: number) => turns(3, from).map((turn, index) => ({ ...turn, id: `msg_${index}` }))
      for (let round = 0; round < 10; round++) {
        await store.addMessages('alice', [secret, ...turns(2, round)])
        await other.addMessages('bob', turns(3, 100 + round))
      }
      await store.addMessages('carol', numbered(1))
      await other.addMessages('dave', numbered(4))
      same(await store.getHistory('carol'), numbered(1), 'turns whose ids are used in another conversation too')
      same(await store.getHistory('dave'), numbered(4))
      const bob = await store.getHistory('bob')
      same(texts(bob), Array.from({ length: 10 }, (_, round) => texts(turns(3, 100 + round))).flat())
      same(
        bob.map((message) => [message['secret'], message.metadata?.['card']]),
        bob.map(() => [undefined, undefined]),
        'no field of one conversation is seen in another',
      )
      same(
        await other.getHistory('alice'),
        Array.from({ length: 10 }, (_, round) => [secret, ...turns(2, round)]).flat(),
      )
    },
  },
  {
    ...core,
    id: 'isolation.3/twenty-conversations-at-once',
    clause: 'isolation.3',
    title: 'twenty conversations written at once by two handles do not mix, and each keeps its order',
    async run({ store, again }) {
      const handles = [store, await again()]
      await Promise.all(
        Array.from({ length: 20 }, async (_, session) => {
          for (let round = 0; round < 5; round++) {
            const content = `${session}.${round}`
            await handles[(session + round) % 2]?.addMessages(`s${session}`, [
              { role: 'user', content },
              { role: 'assistant', content },
            ])
          }
        }),
      )
      for (let session = 0; session < 20; session++) {
        same(
          texts(await store.getHistory(`s${session}`)),
          Array.from({ length: 10 }, (_, index) => `${session}.${index >> 1}`),
        )
      }
    },
  },
  {
    ...core,
    id: 'isolation.5/cutting-one-leaves-the-others',
    clause: 'isolation.5',
    title: 'clearing or trimming a session leaves all others alone, even those with the same id prefix',
    async run({ store }) {
      const ids = ['user', 'user2', 'user:1', 'user/1', 'use', 'USER', 'user ', 'us%', 'us_r', '*', 'user*']
      for (const id of ids) await sign(store, id, 5)
      const expected = new Map(ids.map((id) => [id, 5]))
      const changes: [string, number][] = [
        ['user', 0],
        ['us%', 0],
        ['*', 0],
        ['use', 2],
        ['us_r', 1],
      ]
      for (const [id, left] of changes) {
        if (left === 0) await store.clear(id)
        else await store.trim(id, { maxEntries: left })
        expected.set(id, left)
        for (const [one, count] of expected) {
          same(texts(await store.getHistory(one)), Array(count).fill(one), `${one}, after ${id} was cut`)
        }
      }
      const cuts = [store.clear('user*'), store.trim('user ', { maxEntries: 2 }), store.clear('USER')]
      await Promise.all([...['user2', 'user:1', 'user/1'].map((id) => sign(store, id, 2)), ...cuts])
      const left = Object.entries({ 'user*': 0, 'user ': 2, USER: 0, user2: 7, 'user:1': 7, 'user/1': 7 })
      for (const [id, count] of left) {
        same(texts(await store.getHistory(id)), Array(count).fill(id), `${id}, while others were cut`)
      }
    },
  },
  {
    ...core,
    id: 'clearing.1/empty-and-goes-on',
    clause: 'clearing.1',
    title: 'a cleared session is empty for every handle, stays empty, and starts over',
    async run({ store, again }) {
      const other = await again()
      await store.clear('s')
      same(await store.getHistory('s'), [])
      for (const length of [1, 2, 100, 2100]) {
        await store.addMessages('s', turns(length))
        same((await other.getHistory('s')).length, length)
        await store.clear('s')
        same(await store.getHistory('s'), [])
        same(await other.getHistory('s'), [])
        await other.addMessages('s', turns(2, 7))
        same(await store.getHistory('s'), turns(2, 7))
        await other.clear('s')
        await store.addMessages('s', turns(2, 3))
        same(await other.getHistory('s'), turns(2, 3), 'as many turns as before, and others')
        same(await store.getHistory('s'), turns(2, 3))
        await store.clear('s')
        await store.clear('s')
        same(await other.getHistory('s'), [])
      }
      const clear = () => store.clear('s')
      const three = () => other.addMessages('s', turns(3, 6))
      const two = () => store.addMessages('s', turns(2, 9))
      for (const calls of [
        [clear, three, two],
        [three, clear, two],
        [two, three, clear],
      ]) {
        await store.addMessages('s', turns(5))
        await Promise.all(calls.map((call) => call()))
        const kept = texts(await store.getHistory('s'))
        const old = kept.filter((text) => texts(turns(5)).includes(text))
        same(old, [], 'what was there before is cleared, whatever is added meanwhile')
        assert.ok([0, 2, 3, 5].includes(kept.length), `${kept.length} of two batches of 2 and 3 turns`)
        same(texts(await other.getHistory('s')), kept)
        await other.clear('s')
      }
    },
  },
]
