import assert from 'node:assert/strict'
import type { Backend, ReclaimScope } from '../../../core/backend.ts'
import type { Entry } from '../../../core/entries.ts'
import { MemoryLostError, MemoryStoreBackendError, TurnLostError } from '../../../core/errors.ts'
import { inTime } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import { waiting } from '../helpers/waiting.ts'
import type { WrittenCase } from '../written-case.ts'
import { overridden } from './helpers/overridden.ts'

const level = 'faults' as const

function noConnection(): never {
  throw new MemoryStoreBackendError('BACKEND_FAILED', 'no connection', { applied: 'no', retryable: false })
}

async function rejects(error: Error): Promise<never> {
  throw error
}

/** Enough that a rewind stops waiting for a moment without other writers. */
const writesMeanwhile = 4

/** What goes wrong after the commit of a rewind that met writers, and how the rewind ends. */
const afterwards: Readonly<Record<string, { go: () => Partial<Backend>; isDone: boolean }>> = {
  'what was cut cannot be read': { go: () => ({ read: async () => noConnection() }), isDone: false },
  'what it left cannot be removed': { go: () => ({ commit: async () => noConnection() }), isDone: true },
  'what it left is damaged': {
    go: () => ({ commit: () => rejects(new MemoryLostError('s', [], 'gone')) }),
    isDone: true,
  },
  'its turn is over': { go: () => ({ commit: () => rejects(new TurnLostError('s')) }), isDone: true },
}

function metByWriters(write: () => Promise<unknown>, go: () => Partial<Backend>) {
  return overridden((under) => {
    let commits = 0
    let isCut = false
    const failing = () => (isCut ? go() : {})
    return {
      read: (...given) => (failing().read ?? under.read.bind(under))(...given),
      async commit(...given) {
        const { commit } = failing()
        if (commit !== undefined) return commit(...given)
        if (commits < writesMeanwhile) await write()
        commits += 1
        const committed = await under.commit(...given)
        isCut = true
        return committed
      },
    }
  })
}

/** How many slices what expired is erased in. */
const slices = 4

/** Erases in slices, and says that nothing is left after the last if `ends`. That one ends when `mayEnd` does. */
function erasingInSlices(ends: boolean, mayEnd: Promise<void> = Promise.resolve()) {
  const reached = waiting()
  let asked = 0
  const wrap = overridden((under) => ({
    async reclaim(scope: ReclaimScope, deadline: number) {
      const reclaimed = await under.reclaim(scope, deadline)
      if (scope !== 'outdated') return reclaimed
      asked += 1
      if (asked === slices) {
        reached.end()
        await mayEnd
      }
      return { ...reclaimed, done: ends && asked >= slices }
    },
  }))
  return { wrap, reached: reached.promise, asked: () => asked }
}

export const workAfterwards: WrittenCase[] = [
  {
    level,
    needs: ['faults', 'versions', 'codes'],
    id: 'rewinding.2/failing-afterwards',
    clause: 'rewinding.2',
    title: 'a rewind that met writers tells truly what it did, though what comes after its commit fails',
    async run({ store: sound, wrapped }) {
      for (const [what, { go, isDone }] of Object.entries(afterwards)) {
        await sound.addMessages('s', turns(3))
        let written = 3
        const write = async () => {
          written += 1
          await sound.addMessages('s', turns(1, written))
        }
        const { store } = await wrapped(metByWriters(write, go), { on: sound })
        const ended = store.rewind('s', { to: (await sound.getHistory('s')).seqs[0] ?? 0 })
        const { removed, code, applied, cause } = (await ended.catch(Object)) as { removed?: Entry[] } & Record<
          string,
          unknown
        >
        const cut = removed?.map((entry) => (entry.kind === 'message' ? entry.message.content : null))
        if (isDone || cut !== undefined) same(cut, texts(turns(written - 1, 2)), `${what}: what was cut`)
        else {
          same({ code, applied }, { code: 'BACKEND_FAILED', applied: 'unknown' }, `${what}: what it says`)
          assert.match(String(cause), /no connection/, `${what}: the error of the backend is in cause`)
        }
        same(await sound.getHistory('s'), turns(1), `${what}: what is left`)
        await sound.deleteSession('s')
      }
    },
  },
  {
    level,
    needs: ['faults', 'ttl'],
    id: 'ttl.7/in-slices',
    clause: 'ttl.7',
    title: 'what expired is erased slice by slice, however many there are, and a store that closes leaves the rest',
    async run({ store: sound, wrapped, close }) {
      const erasing = erasingInSlices(true)
      const { store } = await wrapped(erasing.wrap, { on: sound })
      await inTime(erasing.reached, 'what expired was erased in part')
      await store.addMessages('s', turns(1))
      same(await sound.getHistory('s'), turns(1))
      await close(store)
      same(erasing.asked(), slices, 'how often it was erased until nothing was left')
      const isClosing = waiting()
      const unended = erasingInSlices(false, isClosing.promise)
      const { store: closed } = await wrapped(unended.wrap, { on: sound })
      await inTime(unended.reached, 'what expired was erased in part')
      const closing = close(closed)
      isClosing.end()
      await closing
      const later = erasingInSlices(true)
      await wrapped(later.wrap, { on: sound })
      await inTime(later.reached, 'what expired was erased in part by the next store')
      same(unended.asked(), slices, 'how often a store that was closed erased')
    },
  },
  {
    level,
    needs: ['faults', 'turns', 'signals', 'codes'],
    id: 'signals.2/aborted-while-taking',
    clause: 'signals.2',
    title: 'whoever leaves while a turn is being taken does not hold it',
    async run({ store: sound, wrapped }) {
      const controller = new AbortController()
      const leaving = overridden((under) => ({
        async takeTurn(...given) {
          const freeIn = await (under.takeTurn?.(...given) ?? assert.fail('it declares turns'))
          controller.abort(new Error('left'))
          return freeIn
        },
      }))
      const { store } = await wrapped(leaving, { on: sound })
      let calls = 0
      const run = () => {
        calls += 1
      }
      await assert.rejects(store.withTurn('s', run, { signal: controller.signal }), { message: 'left' })
      await sound.withTurn('s', (turn) => turn.addMessages(turns(1)), { wait: 0 })
      const unheard = overridden((under) => ({
        async takeTurn(...given) {
          await under.takeTurn?.(...given)
          return noConnection()
        },
      }))
      const { store: unlucky } = await wrapped(unheard, { on: sound })
      await assert.rejects(unlucky.withTurn('s', run), { code: 'BACKEND_FAILED' })
      await sound.withTurn('s', (turn) => turn.addMessages(turns(1, 2)), { wait: 0 })
      same(calls, 0, 'how often its function was called')
      same(await sound.getHistory('s'), turns(2))
    },
  },
]
