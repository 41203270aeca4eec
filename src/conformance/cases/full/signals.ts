import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import { waiting } from '../helpers/waiting.ts'
import type { WrittenCase } from '../written-case.ts'

const full = { level: 'full', needs: ['signals'] } as const

/** Every call that takes a signal. */
const calls: Readonly<Record<string, (store: FullStore, signal: AbortSignal) => Promise<unknown>>> = {
  getHistory: (store, signal) => store.getHistory('s', { signal }),
  getEntries: (store, signal) => store.getEntries('s', { signal }),
  compact: (store, signal) => store.compact('s', { keep: 1, summarize: () => 'sum', signal }),
  verify: (store, signal) => store.verify('s', { signal }),
  sweep: (store, signal) => store.sweep('s', { signal }),
}

/** Calls it with a signal that aborts, and returns what it rejects with. */
async function rejectionOf(call: (signal: AbortSignal) => Promise<unknown>, aborts: (abort: () => void) => void) {
  const controller = new AbortController()
  const reason = new Error('the user left')
  const rejected = assert.rejects(call(controller.signal), (error) => error === reason)
  aborts(() => controller.abort(reason))
  await rejected
}

export const signals: WrittenCase[] = [
  {
    ...full,
    id: 'signals.1/aborted-before',
    clause: 'signals.1',
    title: 'a call with an aborted signal rejects with the reason and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(5))
      const reason = new Error('the user left')
      for (const [name, call] of Object.entries(calls)) {
        await assert.rejects(call(store, AbortSignal.abort(reason)), (error) => error === reason, name)
        await call(store, new AbortController().signal)
        await store.addMessages('s', turns(5))
      }
    },
  },
  {
    ...full,
    id: 'signals.1/aborted-on-the-way',
    clause: 'signals.1',
    title: 'a long read, a check and a sweep stop soon after their signal aborts',
    async run({ store }) {
      for (let batch = 0; batch < 4; batch++) await store.addMessages('s', turns(1500))
      for (const name of ['getHistory', 'getEntries'] as const) {
        await rejectionOf(
          (signal) => store[name]('s', { signal }),
          (abort) => abort(),
        )
      }
      const others = ['a', 'b', 'c']
      for (const id of others) await store.addMessages(id, turns(5))
      for (const name of ['verify', 'sweep'] as const) {
        for (const id of others) await store.rewind(id, { to: 3 })
        const controller = new AbortController()
        const reason = new Error('enough')
        let slices = 0
        const onProgress = () => {
          slices += 1
          controller.abort(reason)
        }
        const ended = store[name](undefined, { onProgress, signal: controller.signal })
        await assert.rejects(ended, (error) => error === reason, name)
        same(slices <= 2, true, `${name} went on for ${slices} slices`)
      }
      same((await store.sweep()).entries > 0, true, 'the rest is left to sweep')
      for (const id of others) same(await store.getHistory(id), turns(3))
    },
  },
  {
    ...full,
    id: 'signals.2/compaction-aborted',
    clause: 'signals.2',
    title: 'aborting a compaction while the summary is being made ends it at once and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(8))
      const before = await store.getEntries('s')
      const asked = waiting()
      const answer = waiting()
      const summarize = async () => {
        asked.end()
        await answer.promise
        return 'sum'
      }
      await rejectionOf(
        (signal) => store.compact('s', { keep: 2, summarize, signal }),
        (abort) => void asked.promise.then(abort),
      )
      const controller = new AbortController()
      const reason = new Error('stopped by who sums up')
      const stops = () => {
        controller.abort(reason)
        return answer.promise.then(() => 'sum')
      }
      const stopped = store.compact('s', { keep: 2, summarize: stops, signal: controller.signal })
      await assert.rejects(stopped, (error) => error === reason, 'aborted by the function itself')
      answer.end()
      await store.addMessages('s', turns(1, 9))
      same(await store.getHistory('s'), turns(9))
      same((await store.getEntries('s')).length, before.length + 1)
    },
  },
  {
    ...full,
    needs: ['signals', 'turns'],
    id: 'signals.2/waiting-aborted',
    clause: 'signals.2',
    title: 'a waiter that aborts is not called, and keeps no turn and no place in the queue',
    async run({ store, again }) {
      const other = await again()
      let calls = 0
      const never = () => {
        calls += 1
      }
      await store.withTurn('s', async () => {
        await rejectionOf(
          (signal) => other.withTurn('s', never, { signal }),
          (abort) => void setImmediate(abort),
        )
      })
      await assert.rejects(store.withTurn('s', never, { signal: AbortSignal.abort(new Error('left')) }), {
        message: 'left',
      })
      const left: Promise<unknown>[] = []
      await store.withTurn('s', async (_, signal) => {
        assert.ok(!signal.aborted, 'the signal of a turn that is held has aborted')
        left.push(other.withTurn('s', (turn) => turn.addMessages(turns(1))))
      })
      await Promise.all(left)
      same(calls, 0, 'how often it was called after its signal aborted')
      same(await store.getHistory('s'), turns(1))
    },
  },
  {
    ...full,
    needs: ['signals', 'turns'],
    id: 'signals.1/passed-to-the-turn',
    clause: 'signals.1',
    title: "a turn passes its signal to its function, and the function's result counts",
    async run({ store }) {
      const begun = waiting()
      await rejectionOf(
        (signal) =>
          store.withTurn(
            's',
            async (turn, own) => {
              await turn.addMessages(turns(1))
              begun.end()
              const aborted = waiting()
              own.addEventListener('abort', aborted.end)
              if (own.aborted) aborted.end()
              await aborted.promise
              throw own.reason
            },
            { signal },
          ),
        (abort) => void begun.promise.then(abort),
      )
      await store.withTurn('s', (turn) => turn.addMessages(turns(1, 2)), { wait: 0 })
      same(await store.getHistory('s'), turns(2))
    },
  },
]
