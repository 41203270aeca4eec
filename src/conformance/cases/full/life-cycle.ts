import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

export const lifeCycle: WrittenCase[] = [
  {
    id: 'closing.1/every-call-after-close',
    clause: 'closing.1',
    level: 'full',
    needs: ['codes'],
    title: 'after close, every call rejects with STORE_CLOSED',
    async run({ open }) {
      const store = await open()
      const session = store.session('s')
      await store.addMessages('s', turns(1))
      await store.close()
      const closed = { code: 'STORE_CLOSED' }
      const calls: (() => Promise<unknown>)[] = [
        () => store.addMessages('s', turns(1)),
        () => store.recordToolCall('s', { id: 'c', name: 'n' }),
        () => store.addSummary('s', { text: 'x' }),
        () => store.getHistory('s'),
        () => store.getEntries('s'),
        () => store.trim('s', { maxEntries: 1 }),
        () => store.clear('s'),
        () => store.clearAll(),
        () => store.compact('s', { keep: 1, summarize: () => 'x' }),
        () => store.saveSnapshot('s'),
        () => store.listSnapshots('s'),
        () => store.rollbackToSnapshot('s', 'p'),
        () => store.deleteSnapshot('s', 'p'),
        () => store.rewind('s', { to: 0 }),
        () => store.fork('s', 't'),
        () => store.recall('s', [1]),
        () => store.sessionInfo('s'),
        () => store.listSessions(),
        () => store.deleteSession('s'),
        () => store.deleteAllSessions(),
        () => store.expire('s', { ttl: 1 }),
        () => store.verify(),
        () => store.sweep(),
        () => store.stats(),
        () => store.exportSession('s'),
        () => store.importSession({} as never),
        () => store.operation('s', 'o'),
        () => store.withTurn('s', () => assert.fail('called in a closed store')),
        () => store.health(),
        () => session.getHistory(),
        () => session.addMessages(turns(1)),
      ]
      for (const call of calls) await assert.rejects(call, closed)
    },
  },
  {
    id: 'closing.2/close-waits',
    clause: 'closing.2',
    level: 'full',
    needs: ['versions'],
    title: 'close waits for calls in progress, and closing twice is fine',
    async run({ open, again }) {
      const store = await open()
      const other = await again(store)
      await store.addMessages('s', turns(6))
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const adding = Array.from({ length: 30 }, () => store.addMessages('s', turns(2)))
      const compacting = store.compact('s', { keep: 1, summarize: () => released.then(() => 'sum') })
      const done: string[] = []
      const noteOf = (what: string) => () => done.push(what)
      const noting = [Promise.all(adding).then(noteOf('work')), compacting.then(noteOf('work'))]
      const closing = [store.close(), store.close()]
      noting.push(...closing.map((one) => one.then(noteOf('close'))))
      await other.sessionInfo('s')
      release()
      assert.equal((await Promise.all(adding)).length, 30)
      assert.notEqual((await compacting).seq, null)
      await Promise.all([...closing, ...noting])
      same(done, ['work', 'work', 'close', 'close'])
      await store.close()
      assert.equal((await other.sessionInfo('s'))?.version, (await compacting).version)
    },
  },
  {
    id: 'closing.3/await-using-closes',
    clause: 'closing.3',
    level: 'full',
    needs: ['codes'],
    title: 'await using closes',
    async run({ open }) {
      let outside: Awaited<ReturnType<typeof open>>
      {
        await using store = await open()
        outside = store
        await store.addMessages('s', turns(1))
      }
      await assert.rejects(outside.getHistory('s'), { code: 'STORE_CLOSED' })
    },
  },
  {
    id: 'health.1/health-says-what-is-there',
    clause: 'health.1',
    level: 'full',
    title: 'health describes the store',
    async run({ store }) {
      const health = await store.health()
      assert.equal(health.ok, true)
      assert.equal(typeof health.backend, 'string')
      for (const warning of health.warnings) assert.notEqual(warning, '')
    },
  },
]
