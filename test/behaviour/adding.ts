import assert from 'node:assert/strict'
import type { ChatMessage } from 'unforget'
import { type BehaviourCase, texts, turns } from './case.ts'

export const adding: BehaviourCase[] = [
  {
    clause: 'adding.1',
    title: 'a bad message at the end of a batch keeps the whole batch out',
    async run({ store }) {
      const bad = { role: 'user', content: 'x', metadata: { when: new Date(0) } } as ChatMessage
      await assert.rejects(store.addMessages('s', [...turns(120), bad]), {
        code: 'INVALID_ENTRY',
        path: 'messages[120].metadata.when',
      })
      assert.deepEqual(await store.getHistory('s'), [])
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    clause: 'adding.1',
    title: 'a batch of 2,500 is read back whole and in order',
    async run({ store }) {
      const { seqs } = await store.addMessages('s', turns(2500))
      assert.deepEqual(
        seqs,
        Array.from({ length: 2500 }, (_, index) => index + 1),
      )
      assert.deepEqual(await store.getHistory('s'), turns(2500))
    },
  },
  {
    clause: 'adding.1',
    title: 'a reader never sees part of a batch',
    async run({ store }) {
      const sizes = new Set<number>()
      const writer = (async () => {
        for (let batch = 0; batch < 20; batch++) await store.addMessages('s', turns(7))
      })()
      let writing = true
      void writer.finally(() => {
        writing = false
      })
      while (writing) sizes.add((await store.getHistory('s')).length % 7)
      await writer
      assert.deepEqual([...sizes], [0])
    },
  },
  {
    clause: 'adding.2',
    title: 'order is kept when the clock steps back',
    async run({ store }) {
      const now = Date.now
      try {
        for (let index = 1; index <= 20; index++) {
          Date.now = () => now() - index * 60_000
          await store.addMessages('s', turns(1, index))
        }
      } finally {
        Date.now = now
      }
      assert.deepEqual(texts(await store.getHistory('s')), texts(turns(20)))
    },
  },
  {
    clause: 'adding.3',
    title: 'seqs go on after a clear, a rollback and a rewind',
    async run({ store }) {
      const { version, epoch, seqs } = await store.addMessages('s', turns(3))
      assert.deepEqual(seqs, [1, 2, 3])
      assert.equal(typeof version, 'string')
      assert.equal(typeof epoch, 'string')
      const snapshot = await store.saveSnapshot('s')
      await store.clear('s')
      assert.deepEqual((await store.addMessages('s', turns(1))).seqs, [4])
      await store.rollbackToSnapshot('s', snapshot.id)
      assert.deepEqual((await store.addMessages('s', turns(1))).seqs, [5])
      await store.rewind('s', { to: 1 })
      assert.equal((await store.recordToolCall('s', { id: 'c', name: 'n' })).seq, 6)
      assert.deepEqual((await store.getHistory('s')).seqs, [1])
    },
  },
  {
    clause: 'adding.4',
    title: 'changing what was given or what was returned changes nothing',
    async run({ store }) {
      const bytes = new Uint8Array([1, 2, 3])
      const given: ChatMessage = {
        role: 'user',
        content: [{ type: 'text', text: 'a' }],
        metadata: { bytes, deep: { n: 1 } },
      }
      const expected = structuredClone(given)
      const adding = store.addMessages('s', [given])
      given.content = 'changed'
      bytes[0] = 99
      Object.assign(given.metadata?.['deep'] as object, { n: 2 })
      await adding
      const first = await store.getHistory('s')
      assert.deepEqual(first, [expected])
      Object.assign(first[0]?.metadata?.['deep'] as object, { n: 3 })
      first.pop()
      assert.deepEqual(await store.getHistory('s'), [expected])
    },
  },
  {
    clause: 'adding.5',
    title: 'adding nothing changes nothing and begins no session',
    async run({ store }) {
      assert.deepEqual(await store.addMessages('s', []), { version: null, epoch: null, seqs: [] })
      assert.equal(await store.sessionInfo('s'), null)
      const { version } = await store.addMessages('s', turns(1))
      assert.equal((await store.addMessages('s', [])).version, version)
      await assert.rejects(store.addMessages('s', [], { ifVersion: null }), { code: 'VERSION_CONFLICT' })
    },
  },
  {
    clause: 'adding.6',
    title: '50 writers at once lose nothing and each keeps its order',
    async run({ store }) {
      const writers = Array.from({ length: 50 }, async (_, writer) => {
        for (let turn = 0; turn < 8; turn++) {
          await store.addMessages('s', [
            { role: 'user', content: `${writer}`, metadata: { turn } },
            { role: 'assistant', content: `${writer}`, metadata: { turn } },
          ])
        }
      })
      await Promise.all(writers)
      const history = await store.getHistory('s')
      assert.equal(history.length, 800)
      assert.deepEqual(
        history.seqs,
        Array.from({ length: 800 }, (_, index) => index + 1),
      )
      for (let writer = 0; writer < 50; writer++) {
        const own = history.filter(({ content }) => content === `${writer}`)
        assert.deepEqual(
          own.map(({ metadata }) => metadata?.['turn']),
          Array.from({ length: 16 }, (_, index) => index >> 1),
        )
      }
    },
  },
  {
    clause: 'adding.7',
    title: 'messages of a wrong shape are refused with the place',
    async run({ store }) {
      const refuse = async (message: unknown, path: string) =>
        assert.rejects(store.addMessages('s', [message as ChatMessage]), { code: 'INVALID_ENTRY', path })
      await refuse(null, 'messages[0]')
      await refuse('hello', 'messages[0]')
      await refuse({ role: 'robot', content: 'x' }, 'messages[0].role')
      await refuse({ role: 'user' }, 'messages[0].content')
      await refuse({ role: 'user', content: 7 }, 'messages[0].content')
      await refuse({ role: 'assistant', content: null, toolCalls: [{ name: 'x' }] }, 'messages[0].toolCalls[0].id')
      await refuse({ role: 'user', content: 'x', metadata: 'y' }, 'messages[0].metadata')
      await assert.rejects(store.addMessages('s', 'no' as never), { code: 'INVALID_ENTRY' })
      await assert.rejects(store.recordToolCall('s', { id: '', name: 'x' }), {
        code: 'INVALID_ENTRY',
        path: 'toolCall.id',
      })
      await assert.rejects(store.addSummary('s', { text: 1 } as never), { code: 'INVALID_ENTRY', path: 'summary.text' })
      await assert.rejects(store.addSummary('s', { text: 'x', embedding: [1, Number.NaN] }), { code: 'INVALID_ENTRY' })
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
]
