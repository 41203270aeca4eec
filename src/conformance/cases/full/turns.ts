import assert from 'node:assert/strict'
import { same } from '../helpers/same.ts'
import { turns as messages } from '../helpers/samples.ts'
import { waiting } from '../helpers/waiting.ts'
import { requireWhole, speakInTurn } from '../helpers/whole-turns.ts'
import type { WrittenCase } from '../written-case.ts'

const full = { level: 'full', needs: ['turns', 'codes'] } as const

export const turns: WrittenCase[] = [
  {
    ...full,
    id: 'turns.1/one-at-a-time',
    clause: 'turns.1',
    title: 'turns that two handles take at once run one after the other',
    async run({ store, again }) {
      const handles = [store, await again()]
      const names = Array.from({ length: 12 }, (_, number) => `turn ${number}`)
      await Promise.all(
        names.map((name, number) => handles[number % 2]?.withTurn('s', (turn) => speakInTurn(turn, name))),
      )
      await requireWhole(store, 's', names)
    },
  },
  {
    ...full,
    id: 'turns.1/sessions-do-not-wait',
    clause: 'turns.1',
    title: 'turns of different sessions do not wait for each other',
    async run({ store, again }) {
      const other = await again()
      await store.withTurn('a', async () => {
        for (const handle of [store, other]) {
          await handle.withTurn('b', (turn) => turn.addMessages(messages(1)), { wait: 0 })
        }
      })
      same((await store.getHistory('b')).length, 2)
    },
  },
  {
    ...full,
    id: 'turns.2/in-the-order-they-came',
    clause: 'turns.2',
    title: 'waiters on one handle get the turn in the order they came',
    async run({ store }) {
      const order: number[] = []
      const numbers = Array.from({ length: 16 }, (_, number) => number)
      const taken = numbers.map(() => waiting())
      const take = (number: number) =>
        store.withTurn('s', async (turn) => {
          taken[number]?.end()
          await turn.addMessages(messages(1))
          order.push(number)
        })
      const turns = numbers.slice(0, 8).map(take)
      for (const number of numbers.slice(8)) {
        await taken[number - 8]?.promise
        turns.push(take(number))
      }
      await Promise.all(turns)
      same(order, numbers)
    },
  },
  {
    ...full,
    id: 'turns.2/busy',
    clause: 'turns.2',
    title: 'a caller that waits too long is rejected, and its function is not called',
    async run({ store, again }) {
      const other = await again()
      let calls = 0
      await store.withTurn('s', async (turn) => {
        await turn.addMessages(messages(1))
        for (const wait of [0, 60]) {
          const late = other.withTurn('s', () => ++calls, { wait })
          await assert.rejects(late, { code: 'SESSION_BUSY', session: 's', retryable: true })
        }
        await turn.addMessages(messages(1, 2))
      })
      for (const option of ['wait', 'lease']) {
        for (const tooLong of [2 ** 31, Number.POSITIVE_INFINITY]) {
          const late = other.withTurn('s', () => ++calls, { [option]: tooLong })
          await assert.rejects(late, { code: 'INVALID_ARGUMENT' }, `${option}: ${tooLong}`)
        }
      }
      same(calls, 0)
      await other.withTurn('s', (turn) => turn.addMessages(messages(1, 3)), { wait: 0 })
      same(await store.getHistory('s'), messages(3))
    },
  },
  {
    ...full,
    id: 'turns.3/ends-with-its-function',
    clause: 'turns.3',
    title: 'a turn returns what its function returns, throws what it throws, and is then released',
    async run({ store, again }) {
      const other = await again()
      const failure = new Error('the model is down')
      for (const run of [
        () => {
          throw failure
        },
        async (): Promise<number> => Promise.reject(failure),
      ]) {
        const failed = await store.withTurn('s', run).catch((error: unknown) => error)
        assert.equal(failed, failure)
        same(await other.withTurn('s', () => 5, { wait: 0 }), 5)
        same(await store.withTurn('s', async () => ({ answer: 5 }), { wait: 0 }), { answer: 5 })
      }
      assert.equal(await store.sessionInfo('s'), null)
    },
  },
  {
    ...full,
    id: 'turns.4/renewed',
    clause: 'turns.4',
    title: 'a turn that outlasts its lease several times is renewed, and nobody gets in between',
    async run({ store, again }) {
      const other = await again()
      const lease = 1000
      await store.withTurn(
        's',
        async (turn, signal) => {
          await assert.rejects(
            other.withTurn('s', () => {}, { wait: 3 * lease }),
            { code: 'SESSION_BUSY' },
          )
          assert.ok(!signal.aborted, 'the signal of a turn that is held has aborted')
          await turn.addMessages(messages(1))
        },
        { lease },
      )
      same((await store.getHistory('s')).length, 1)
    },
  },
  {
    ...full,
    id: 'turns.7/others-are-not-blocked',
    clause: 'turns.7',
    title: 'any write without a turn goes through at once and breaks no turn',
    async run({ store, again }) {
      const other = await again()
      await store.withTurn('s', async (turn, signal) => {
        await turn.addMessages(messages(4))
        for (const handle of [store, other]) {
          await handle.addMessages('s', messages(1, 5))
          await handle.trim('s', { maxEntries: 3 })
          await turn.addMessages(messages(1, 6))
          await handle.clear('s')
          await turn.addMessages(messages(2))
          await handle.deleteSession('s')
          await turn.addMessages(messages(3))
        }
        assert.ok(!signal.aborted, 'the signal of a turn that is held has aborted')
      })
      same(await store.getHistory('s'), messages(3))
    },
  },
  {
    ...full,
    needs: [...full.needs, 'versions'],
    id: 'turns.8/no-content',
    clause: 'turns.8',
    title: 'a turn creates no session, changes no version or expiry, and is not exported',
    async run({ store }) {
      await store.withTurn('none', async () => {
        assert.equal(await store.sessionInfo('none'), null)
        same((await store.listSessions()).sessions, [])
      })
      assert.equal(await store.sessionInfo('none'), null)
      await store.addMessages('s', messages(3))
      await store.expire('s', { ttl: 3_600_000 })
      const info = await store.sessionInfo('s')
      const copy = await store.exportSession('s')
      await store.withTurn('s', async (turn) => {
        assert.deepEqual(await store.sessionInfo('s'), info)
        assert.deepEqual(await store.exportSession('s'), copy)
        same(await turn.getHistory(), messages(3))
      })
      assert.deepEqual(await store.sessionInfo('s'), info)
      same((await store.verify()).damage, [], 'damage')
    },
  },
  {
    ...full,
    id: 'turns.9/inside-a-turn',
    clause: 'turns.9',
    title: 'taking a turn inside a turn of the same session is rejected at once and breaks nothing',
    async run({ store }) {
      const misuse = { name: 'TypeError', code: 'INVALID_ARGUMENT' }
      const ended = waiting()
      let left: Promise<unknown> | undefined
      await store.withTurn('s', async (turn) => {
        await assert.rejects(
          store.withTurn('s', () => {}, { wait: 1000 }),
          misuse,
        )
        await assert.rejects(
          turn.withTurn(() => {}, { wait: 1000 }),
          misuse,
        )
        await store.withTurn('other', async () => {
          await assert.rejects(
            store.withTurn('s', () => {}, { wait: 1000 }),
            misuse,
          )
        })
        await turn.addMessages(messages(1))
        left = ended.promise.then(() => store.withTurn('s', (next) => next.addMessages(messages(1, 2))))
      })
      ended.end()
      await left
      same(await store.getHistory('s'), messages(2))
    },
  },
  {
    ...full,
    id: 'turns.12/closing',
    clause: 'turns.12',
    title: 'closing a store releases its turns, and holders and waiters get STORE_CLOSED',
    async run({ open, again }) {
      const store = await open()
      const other = await again(store)
      const closed = { code: 'STORE_CLOSED' }
      const begun = waiting()
      const held = store.withTurn('s', async (turn, signal) => {
        const aborted = waiting()
        signal.addEventListener('abort', aborted.end)
        begun.end()
        await aborted.promise
        assert.equal(signal.reason.code, closed.code)
        await assert.rejects(turn.addMessages(messages(1)), closed)
        throw signal.reason
      })
      await begun.promise
      const late = store.withTurn('s', () => assert.fail('called after the store was closed'))
      const refused = [assert.rejects(held, closed), assert.rejects(late, closed)]
      await store.close()
      await Promise.all(refused)
      await other.withTurn('s', (turn) => turn.addMessages(messages(1)), { wait: 0 })
      same(await other.getHistory('s'), messages(1))
    },
  },
]
