import assert from 'node:assert/strict'
import type { SessionMemory } from '../../../core/session-memory.ts'
import type { FullStore } from '../../case.ts'
import { block } from '../helpers/block.ts'
import { wholeDeadline } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { turns as messages } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { beginForWrites, everyWrite } from './helpers/every-write.ts'

const full = { level: 'full', needs: ['turns', 'codes'] } as const
const lost = { code: 'TURN_LOST', session: 's' }

/** A lease, and how long this process does nothing to lose it. */
const lease = 200
const tooLong = 3 * lease

/** A turn as a store, for what is written to a store. */
function storeOf(turn: SessionMemory): FullStore {
  const of = (name: string) => (Reflect.get(turn, name) as (...given: unknown[]) => unknown).bind(turn)
  return new Proxy({} as FullStore, {
    get:
      (_, name) =>
      (_session: string, ...rest: unknown[]) =>
        of(String(name))(...rest),
  })
}

async function contentOf(store: FullStore): Promise<unknown> {
  return [
    await store.getEntries('s'),
    await store.listSnapshots('s'),
    await store.sessionInfo('s'),
    (await store.listSessions()).sessions.length,
  ]
}

export const lostTurns: WrittenCase[] = [
  {
    ...full,
    id: 'turns.3/every-write',
    clause: 'turns.3',
    title: 'every kind of write works through a turn, including a fork',
    async run({ store }) {
      await beginForWrites(store, 's')
      await store.withTurn('s', async (turn) => {
        for (const [name, write] of Object.entries(everyWrite)) {
          await write(storeOf(turn), 's', {})
          if (name === 'deleteSnapshot') await turn.addMessages(messages(5))
        }
        await turn.fork('copy')
        assert.ok((await store.sessionInfo('copy')) !== null, 'the copy does not exist')
        assert.equal(await turn.deleteSession(), true)
        await turn.addMessages(messages(2))
      })
      same(await store.getHistory('s'), messages(2))
    },
  },
  {
    ...full,
    id: 'turns.5/every-write-refused',
    clause: 'turns.5',
    title: 'past its lease, a turn rejects every write and changes nothing, even if nobody took over',
    async run({ store }) {
      await beginForWrites(store, 's')
      const before = await contentOf(store)
      const turn = await assertLost(store, async (held, signal) => {
        block(tooLong)
        for (const [name, write] of Object.entries(everyWrite)) {
          await assert.rejects(write(storeOf(held), 's', {}), lost, name)
        }
        await assert.rejects(held.deleteSession(), lost)
        assert.equal(signal.reason.code, lost.code)
        return held
      })
      await assert.rejects(turn.addMessages(messages(1)), lost)
      same(await contentOf(store), before)
      same(await store.withTurn('s', async (next) => (await next.addMessages(messages(1))).seqs, { wait: 0 }), [7])
    },
  },
  {
    ...full,
    id: 'turns.5/taken-over',
    clause: 'turns.5',
    title: 'a holder stalled past its lease loses the turn to the next one, and writes nothing more',
    async run({ store, again }) {
      const other = await again()
      await assertLost(store, async (turn) => {
        await turn.addMessages(messages(1))
        block(tooLong)
        const takeOver = async (next: SessionMemory) => {
          await next.addMessages(messages(1, 2))
          await assert.rejects(turn.addMessages(messages(1, 9)), lost)
          await next.addMessages(messages(1, 3))
        }
        await other.withTurn('s', takeOver, { wait: wholeDeadline() })
        await assert.rejects(turn.clear(), lost)
        return turn
      })
      same(await store.getHistory('s'), messages(3))
    },
  },
  {
    ...full,
    id: 'turns.5/nothing-left-to-write',
    clause: 'turns.5',
    title: 'a holder stalled past its lease gets an error even if it has nothing left to write',
    async run({ store }) {
      await assertLost(store, async (turn) => {
        await turn.addMessages(messages(1))
        block(tooLong)
        return turn
      })
      same(await store.getHistory('s'), messages(1))
    },
  },
  {
    ...full,
    id: 'turns.5/ended',
    clause: 'turns.5',
    title: 'a write through a turn that has ended is rejected, whoever has the turn then',
    async run({ store }) {
      const kept: SessionMemory[] = []
      await store.withTurn('s', async (turn) => {
        kept.push(turn)
        await turn.addMessages(messages(1))
      })
      const [ended] = kept as [SessionMemory]
      await assert.rejects(ended.addMessages(messages(1, 2)), lost)
      await store.withTurn('s', async () => {
        await assert.rejects(ended.addMessages(messages(1, 3)), lost)
      })
      same(await ended.getHistory(), messages(1))
    },
  },
  {
    ...full,
    needs: [...full.needs, 'operations'],
    id: 'turns.6/repeated-operation',
    clause: 'turns.6',
    title: 'repeating an operation through a lost turn returns its first result',
    async run({ store }) {
      const options = { operationId: 'request 1' }
      await assertLost(store, async (turn) => {
        const first = await turn.addMessages(messages(2), options)
        block(tooLong)
        same(await turn.addMessages(messages(2), options), first)
        await assert.rejects(turn.addMessages(messages(1), options), { code: 'OPERATION_CONFLICT' })
        await assert.rejects(turn.addMessages(messages(1), { operationId: 'request 2' }), lost)
        return turn
      })
      same(await store.getHistory('s'), messages(2))
    },
  },
]

/** Runs a turn that is lost on the way, and returns what its function did. */
async function assertLost<T>(
  store: FullStore,
  run: (turn: SessionMemory, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let result: Promise<T> | undefined
  const turn = store.withTurn(
    's',
    (held, signal) => {
      result = run(held, signal)
      return result
    },
    { lease },
  )
  const outcome = await turn.then(
    () => null,
    (error: unknown) => error as { code?: unknown },
  )
  const returned = await result
  assert.equal(outcome?.code, lost.code, 'the call rejects, whatever its function returned')
  return returned as T
}
