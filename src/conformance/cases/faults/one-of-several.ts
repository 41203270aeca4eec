import assert from 'node:assert/strict'
import type { Backend, ListedPage } from '../../../core/backend.ts'
import { MemoryLostError, MemoryStoreBackendError } from '../../../core/errors.ts'
import type { CaseContext, FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { overridden } from './helpers/overridden.ts'

const faults = { level: 'faults', needs: ['faults', 'codes', 'edits', 'owners', 'versions'] } as const
const lostOne = 'm'
const others = ['a', 'z']

/** The same call, but it fails for one of the sessions. */
function failingForOne(error: () => Error) {
  return <Given extends readonly unknown[], Result>(call: (session: string, ...given: Given) => Promise<Result>) =>
    async (session: string, ...given: Given): Promise<Result> => {
      if (session === lostOne) throw error()
      return call(session, ...given)
    }
}

/** The backend has entries of a session, and nothing else of it. */
const withoutState = overridden((under) => {
  const guard = failingForOne(() => new MemoryLostError(lostOne, [1, 2], 'its state is missing'))
  const hide = ({ sessions, cursor }: ListedPage): ListedPage => ({
    sessions: sessions.map((one) => (one.id === lostOne ? { ...one, state: null } : one)),
    cursor,
  })
  return {
    read: guard(under.read.bind(under)),
    commit: guard(under.commit.bind(under)),
    snapshots: guard(under.snapshots.bind(under)),
    sessions: async (...given) => hide(await under.sessions(...given)),
    sessionsOf: async (...given) => hide((await under.sessionsOf?.(...given)) ?? assert.fail('it declares owners')),
  }
})

/** What describes a session is no longer what was written. */
const withoutDetails = overridden((under) => {
  const spoil = ({ sessions, cursor }: ListedPage): ListedPage => ({
    sessions: sessions.map((one) => (one.id === lostOne ? { ...one, about: spoiled } : one)),
    cursor,
  })
  return {
    async read(session, want, deadline) {
      const found = await under.read(session, want, deadline)
      return session === lostOne && found.about !== null ? { ...found, about: spoiled } : found
    },
    sessions: async (...given) => spoil(await under.sessions(...given)),
  }
})
/** A session is whole, but its place does not answer. */
const outOfReach = overridden((under) => {
  const noConnection = { applied: 'no', retryable: false } as const
  const guard = failingForOne(() => new MemoryStoreBackendError('BACKEND_FAILED', 'no connection', noConnection))
  return {
    read: guard(under.read.bind(under)),
    commit: guard(under.commit.bind(under)),
    snapshots: guard(under.snapshots.bind(under)),
  }
})

const spoiled = { owner: 'ann', title: null, metadata: '{' }

async function filled({ wrapped }: CaseContext, wrap: (backend: Backend) => Backend) {
  const { sound } = await wrapped((backend) => backend)
  for (const session of [lostOne, ...others]) {
    await sound.addMessages(session, turns(5), { owner: 'ann' })
    await sound.rewind(session, { to: 2 })
  }
  const { store: damaged } = await wrapped(wrap, { on: sound })
  return { sound, damaged }
}

const lost = { code: 'MEMORY_LOST', session: lostOne, seqs: [1, 2], reason: /./ }
const ids = (sessions: readonly { id: string }[]) => sessions.map(({ id }) => id).sort()

/** Everything that can be asked of a session. */
const asked: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  getHistory: (store) => store.getHistory(lostOne),
  getEntries: (store) => store.getEntries(lostOne, { last: 1 }),
  sessionInfo: (store) => store.sessionInfo(lostOne),
  addMessages: (store) => store.addMessages(lostOne, turns(1)),
  addSummary: (store) => store.addSummary(lostOne, { text: 't' }),
  trim: (store) => store.trim(lostOne, { maxEntries: 1 }),
  clear: (store) => store.clear(lostOne),
  saveSnapshot: (store) => store.saveSnapshot(lostOne),
  listSnapshots: (store) => store.listSnapshots(lostOne),
  rewind: (store) => store.rewind(lostOne, { to: 1 }),
  fork: (store) => store.fork(lostOne, 'copy'),
  exportSession: (store) => store.exportSession(lostOne),
  expire: (store) => store.expire(lostOne, { ttl: 1e6 }),
  describe: (store) => store.describe(lostOne, { title: 't' }),
}

/** What goes through all sessions. */
const askedOfAll: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  sweep: (store) => store.sweep(),
  'sweep of one': (store) => store.sweep(lostOne),
  stats: (store) => store.stats(),
  verify: (store) => store.verify(),
  clearAll: (store) => store.clearAll(),
}

/** What a damaged backend finds of one session, and the seqs that verify names. */
const damages: Readonly<Record<string, [damage: (backend: Backend) => Backend, seqs: readonly number[]]>> = {
  'the path of a snapshot': [
    overridden((under) => ({
      async snapshots(session, deadline) {
        const list = await under.snapshots(session, deadline)
        return { ...list, epochs: list.epochs.filter(({ number }) => number === list.state?.epoch) }
      },
    })),
    [],
  ],
  'the list of summaries': [
    overridden((under) => ({
      async read(session, want, deadline) {
        const found = await under.read(session, want, deadline)
        const isLeft = (seq: number) => seq !== 3
        const summaries = found.summaries.filter(({ seq }) => isLeft(seq))
        return { ...found, summaries, summarySeqs: found.summarySeqs.filter(isLeft) }
      },
    })),
    [3],
  ],
  'what is read of summaries': [
    overridden((under) => ({
      read(session, want, deadline) {
        if (want.summariesAfter !== undefined) throw new MemoryLostError(session, [3, 4], 'the list is missing')
        return under.read(session, want, deadline)
      },
    })),
    [3, 4],
  ],
  'a slice that cannot be read': [
    overridden((under) => ({
      read(session, want, deadline) {
        if (want.ranges !== undefined) throw new MemoryLostError(session, [1], 'it is missing')
        return under.read(session, want, deadline)
      },
    })),
    [1, 2, 3, 4],
  ],
}

export const oneOfSeveral: WrittenCase[] = [
  {
    ...faults,
    id: 'loss.2/one-of-several-sessions',
    clause: 'loss.2',
    title: 'if one of several sessions is lost, every call about it says so, and the others go on',
    async run(context) {
      const { sound, damaged } = await filled(context, withoutState)
      for (const [name, ask] of Object.entries(asked)) await assert.rejects(ask(damaged), lost, name)
      for (const options of [{}, { owner: 'ann' }]) {
        const listed = await damaged.listSessions(options)
        same([ids(listed.sessions), listed.damaged], [others, [lostOne]], 'what is listed')
      }
      const before = await damaged.stats()
      same([before.sessions, before.entries, before.damaged], [2, 4, [lostOne]], 'what is counted')
      const { ok, damage, entries } = await damaged.verify()
      same([ok, entries], [false, 4], 'what verify says')
      same(
        damage.map(({ session, seqs }) => [session, seqs]),
        [[lostOne, [1, 2]]],
        'what verify finds',
      )
      same((await damaged.verify('a')).ok, true, 'another session is sound')
      same(await damaged.sweep(lostOne), { entries: 0, damaged: [lostOne] }, 'a sweep of it')
      same(await damaged.sweep(), { entries: before.sweepable.entries, damaged: [lostOne] }, 'a sweep of all')
      const many = Array.from({ length: 150 }, (_, number) => `${number % 2 === 0 ? 'a' : 'z'}${number}`)
      for (const id of many) await sound.addMessages(id, turns(1))
      await assert.rejects(damaged.clearAll(), lost, 'clearAll')
      for (const id of [...others, ...many]) same(await sound.getHistory(id), [], `${id} is cleared`)
      same((await sound.getHistory(lostOne)).length, 2, 'nothing of the lost one changed')
      same(await damaged.deleteAllSessions(), 3 + many.length, 'a lost session can still be deleted')
      same((await sound.listSessions()).sessions, [])
      const { damaged: undescribed } = await filled(context, withoutDetails)
      await assert.rejects(undescribed.sessionInfo(lostOne), { code: 'MEMORY_LOST', session: lostOne })
      const listed = await undescribed.listSessions()
      same([ids(listed.sessions), listed.damaged], [others, [lostOne]], 'what is listed if its details are lost')
      const { damaged: unreached } = await filled(context, outOfReach)
      for (const [name, ask] of Object.entries(askedOfAll)) {
        await assert.rejects(ask(unreached), { code: 'BACKEND_FAILED' }, `${name}: what cannot be reached is not lost`)
      }
    },
  },
  {
    ...faults,
    id: 'loss.4/every-kind-of-damage',
    clause: 'loss.4',
    title: 'verify lists whatever kind of damage there is, and the sessions that have none are sound',
    async run(context) {
      for (const [what, [damage, seqs]] of Object.entries(damages)) {
        const { wrapped } = context
        const { sound } = await wrapped((backend) => backend)
        await sound.addMessages('s', turns(2))
        await sound.addSummary('s', { text: 'one', embedding: [1, 0] })
        await sound.addSummary('s', { text: 'two', embedding: [0, 1] })
        await sound.saveSnapshot('s', { id: 'p' })
        await sound.clear('s')
        await sound.rollbackToSnapshot('s', 'p')
        const { store } = await wrapped(damage, { on: sound })
        const { ok, damage: found } = await store.verify('s')
        same(ok, false, `verify says that ${what} is damaged`)
        same([...new Set(found.flatMap((one) => one.seqs))], seqs, `the seqs of ${what}`)
        same(
          found.map(({ session }) => session),
          found.map(() => 's'),
          `the session of ${what}`,
        )
        if (what === 'the path of a snapshot') {
          await assert.rejects(store.listSnapshots('s'), { code: 'MEMORY_LOST', session: 's' }, 'listSnapshots')
          same(await store.sweep('s'), { entries: 0, damaged: ['s'] }, 'what might be read is not swept')
          same((await store.stats()).damaged, ['s'], 'what stats names')
        }
        same((await sound.verify()).ok, true, 'the memory itself is sound')
      }
    },
  },
]
