import assert from 'node:assert/strict'
import type { ChatMessage, Entry } from '../../../core/entries.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const adding: WrittenCase[] = [
  {
    id: 'adding.1/bad-message-at-the-end',
    clause: 'adding.1',
    level: 'full',
    needs: ['codes'],
    title: 'a bad message at the end of a batch rejects the whole batch',
    async run({ store }) {
      const bad = { role: 'user', content: 'x', metadata: { when: new Date(0) } } as ChatMessage
      await assert.rejects(store.addMessages('s', [...turns(120), bad]), {
        code: 'INVALID_ENTRY',
        path: 'messages[120].metadata.when',
      })
      same(await store.getHistory('s'), [])
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    id: 'adding.1/no-part-is-seen',
    clause: 'adding.1',
    level: 'full',
    title: 'a reader never sees part of a batch',
    async run({ store, again }) {
      const other = await again()
      const sizes = new Set<number>()
      let writing = true
      const write = async () => {
        for (let batch = 0; batch < 20; batch++) await store.addMessages('s', turns(7))
        await store.addMessages('s', turns(1400))
      }
      const read = async (handle: typeof store) => {
        while (writing) sizes.add((await handle.getHistory('s')).length % 7)
      }
      const written = write().finally(() => {
        writing = false
      })
      await Promise.all([written, read(store), read(other)])
      same([...sizes], [0])
    },
  },
  {
    id: 'adding.3/seqs-go-on-after-cuts',
    clause: 'adding.3',
    level: 'full',
    needs: ['versions'],
    title: 'seqs continue after a clear, a rollback and a rewind',
    async run({ store }) {
      const { version, epoch, seqs } = await store.addMessages('s', turns(3))
      same(seqs, [1, 2, 3])
      assert.equal(typeof version, 'string')
      assert.equal(typeof epoch, 'string')
      const snapshot = await store.saveSnapshot('s')
      await store.clear('s')
      same((await store.addMessages('s', turns(1))).seqs, [4])
      await store.rollbackToSnapshot('s', snapshot.id)
      same((await store.addMessages('s', turns(1))).seqs, [5])
      await store.rewind('s', { to: 1 })
      assert.equal((await store.recordToolCall('s', { id: 'c', name: 'n' })).seq, 6)
      same((await store.getHistory('s')).seqs, [1])
    },
  },
  {
    id: 'adding.5/nothing-begins-no-session',
    clause: 'adding.5',
    level: 'full',
    needs: ['versions', 'codes'],
    title: 'adding nothing changes nothing and creates no session',
    async run({ store }) {
      same(await store.addMessages('s', []), { version: null, epoch: null, seqs: [] })
      assert.equal(await store.sessionInfo('s'), null)
      const { version } = await store.addMessages('s', turns(1))
      assert.equal((await store.addMessages('s', [])).version, version)
      await assert.rejects(store.addMessages('s', [], { ifVersion: null }), { code: 'VERSION_CONFLICT' })
    },
  },
  {
    id: 'adding.7/wrong-shape-is-refused',
    clause: 'adding.7',
    level: 'full',
    needs: ['codes'],
    title: 'messages of the wrong shape are rejected, and the error says where',
    async run({ store }) {
      const refuse = async (message: unknown, path: string) =>
        assert.rejects(store.addMessages('s', [message as ChatMessage]), { code: 'INVALID_ENTRY', path })
      await refuse(null, 'messages[0]')
      await refuse('hello', 'messages[0]')
      await refuse([], 'messages[0]')
      await refuse(Uint8Array.of(1), 'messages[0]')
      await refuse(new URL('https://example.com'), 'messages[0]')
      await refuse({ role: 7, content: 'x' }, 'messages[0].role')
      await refuse({ role: null, content: 'x' }, 'messages[0].role')
      await refuse({ content: 'x', when: new Date(0) }, 'messages[0].when')
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
  {
    id: 'adding.9/caller-does-not-wait',
    clause: 'adding.9',
    level: 'full',
    title: 'messages, tool calls and summaries added without awaiting keep their call order',
    async run({ store }) {
      const writes = [
        (text: string) => store.addMessages('s', [{ role: 'assistant', content: text }]),
        (text: string) => store.recordToolCall('s', { id: text, name: 'look' }),
        (text: string) =>
          store.addMessages('s', [{ role: 'tool', content: text, metadata: { raw: new Uint8Array(9) } }]),
        (text: string) => store.addMessages('s', [{ role: 'user', content: text }]),
        (text: string) => store.addSummary('s', { text, embedding: [1, 2] }),
      ]
      const given: string[] = []
      const underWay: Promise<unknown>[] = []
      for (let round = 0; round < 20; round++) {
        for (const [index, write] of writes.entries()) {
          const text = `${round}.${index}`
          given.push(text)
          underWay.push(write(text))
        }
      }
      await Promise.all(underWay)
      same((await store.getEntries('s')).map(nameOf), given)
      const batches = Array.from({ length: 51 }, (_, index) => turns(index % 3 === 2 ? 2 : 1, 2 * index))
      await Promise.all(batches.map((batch) => store.addMessages('new', batch)))
      same(await store.getHistory('new'), batches.flat(), 'batches of several sizes, to a session that was not there')
    },
  },
]

function nameOf(entry: Entry): unknown {
  if (entry.kind === 'message') return entry.message.content
  if (entry.kind === 'record') return entry.record.type
  return entry.kind === 'toolCall' ? entry.toolCall.id : entry.summary.text
}
