import assert from 'node:assert/strict'
import { MemoryStoreBackendError } from '../../../core/errors.ts'
import { settledWithin } from '../../../core/operation.ts'
import type { FaultKind, FaultyMethod, PlannedFault } from '../../../faults/fault-plan.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { type Outcome, outcomeOf } from './helpers/outcome-of.ts'
import { overridden } from './helpers/overridden.ts'
import { severalAtOnce } from './helpers/several-at-once.ts'
import { untilFired } from './helpers/until-fired.ts'

const forever = { times: Number.POSITIVE_INFINITY } as const
const level = 'faults' as const

/** What writes to the backend other than by a commit. */
const otherWrites: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  erase: (store) => store.deleteSession('s'),
  drop: (store) => store.sweep('s'),
  reclaim: (store) => store.sweep(),
}

export const faultyConnection: WrittenCase[] = [
  {
    level,
    needs: ['faults', 'codes', 'versions'],
    id: 'deadlines.1/a-backend-that-never-answers',
    clause: 'deadlines.1',
    title: 'a write to a backend that never responds fails with TIMEOUT as unknown, and the next one is accepted',
    async run({ withFaults }) {
      for (const fault of ['hang before', 'hang after'] as const) {
        const { store, sound } = await withFaults([{ do: fault, at: 1, of: 'commit' }])
        await assert.rejects(store.addMessages('s', turns(2)), { code: 'TIMEOUT', applied: 'unknown' })
        const kept = fault === 'hang after' ? turns(2) : []
        same(await sound.getHistory('s'), kept)
        await sound.addMessages('s', turns(1, 9))
        same(await sound.getHistory('s'), [...kept, ...turns(1, 9)])
      }
      for (const [of, write] of Object.entries(otherWrites)) {
        const { store, sound } = await withFaults([{ do: 'hang before', at: 1, of: of as FaultyMethod, ...forever }])
        await sound.addMessages('s', turns(5))
        await sound.rewind('s', { to: 2 })
        await assert.rejects(write(store), { code: 'TIMEOUT', applied: 'unknown' }, of)
        same(await sound.getHistory('s'), turns(2), `after ${of}`)
      }
    },
  },
  {
    level,
    needs: ['faults', 'codes', 'versions'],
    id: 'deadlines.2/tried-again-applied-once',
    clause: 'deadlines.2',
    title: 'a write that failed before and after it was applied is retried and applied once',
    async run({ withFaults }) {
      const plans: PlannedFault['do'][][] = [
        ['fail before'],
        ['fail after'],
        ['fail before', 'fail after'],
        ['fail after', 'fail before'],
        ['fail after', 'fail after'],
      ]
      for (const plan of plans) {
        const faults = plan.map((kind, index) => ({ do: kind, at: index + 1, of: 'commit' as const }))
        const { store, sound, backend } = await withFaults(faults, { timeout: 20_000 })
        same((await store.addMessages('s', turns(3))).seqs, [1, 2, 3])
        same(await sound.getHistory('s'), turns(3), plan.join(', '))
        same(backend.pending, [])
        await store.saveSnapshot('s')
        same((await sound.listSnapshots('s')).length, 1)
      }
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'clearing.4/deletion-with-lost-answer',
    clause: 'clearing.4',
    title: 'a deletion with a lost response still reports that there was a session; the next one reports none',
    async run({ withFaults }) {
      for (const times of [1, 2]) {
        const faults = [{ do: 'fail after', at: 1, of: 'erase', times } as const]
        const { store, sound } = await withFaults(faults, { timeout: 20_000 })
        await sound.addMessages('s', turns(3))
        assert.equal(await store.deleteSession('s'), true, 'there was a session')
        same(await sound.getHistory('s'), [])
        assert.equal(await store.deleteSession('s'), false, 'there is none anymore')
        const { store: again } = await withFaults(faults, { on: sound, timeout: 20_000 })
        assert.equal(await again.deleteSession('s'), false, 'there was none, whichever response was lost')
      }
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'deadlines.2/unknown-stays-unknown',
    clause: 'deadlines.2',
    title:
      'a write whose first attempt may have been applied is unknown, even if the last attempt was not applied, and is retried for at most 10 s',
    async run({ withFaults, wrapped }) {
      const { store, sound } = await withFaults([
        { do: 'fail after', at: 1, of: 'commit' },
        { do: 'fail before', at: 2, of: 'commit', ...forever },
      ])
      same(await outcomeOf(store.addMessages('s', turns(2)), 'the write'), 'unknown')
      same(await sound.getHistory('s'), turns(2))
      const began = performance.now()
      const deadlines: number[] = []
      const unsureAtFirst = overridden((under) => ({
        async commit(session, change, deadline) {
          deadlines.push(deadline)
          if (deadlines.length > 1) return under.commit(session, change, deadline)
          throw new MemoryStoreBackendError('BACKEND_FAILED', 'no answer', { applied: 'unknown', retryable: true })
        },
      }))
      const patient = await wrapped(unsureAtFirst, { timeout: 1000 * settledWithin })
      await patient.store.addMessages('s', turns(2))
      const [first = 0, second = 0] = deadlines
      same(deadlines.length, 2, 'how often it was tried')
      assert.ok(first - began >= 1000 * settledWithin, 'the first attempt has the whole timeout')
      assert.ok(second < performance.now() + settledWithin, 'an unknown outcome may be settled later than after 10 s')
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'faults.1/writers-at-random',
    clause: 'faults.1',
    title: 'with twelve writers on a randomly failing connection, each turn is kept exactly as reported',
    async run({ withFaults, seed }) {
      await Promise.all(
        [0, 1, 2, 3].map(async (more) => {
          const { store, sound, backend } = await withFaults(
            { seed: seed + more, rate: 0.25, kinds: ['fail before', 'fail after', 'hang after'], of: 'commit' },
            { timeout: 100 },
          )
          const told = new Map<string, Outcome>()
          await Promise.all(
            Array.from({ length: 12 }, async (_, writer) => {
              for (let turn = 0; turn < 6; turn++) {
                const content = `${writer}.${turn}`
                const pair = [0, 1].map((part) => ({ role: 'user' as const, content, metadata: { part } }))
                told.set(content, await outcomeOf(store.addMessages('s', pair), content))
              }
            }),
          )
          assert.ok(backend.fired.length > 5, 'the connection must have failed')
          const kept = texts(await sound.getHistory('s'))
          for (const [content, outcome] of told) {
            const count = kept.filter((text) => text === content).length
            const expected = { done: [2], no: [0], unknown: [0, 2] }[outcome]
            assert.ok(expected.includes(count), `${content} was ${outcome} and is there ${count} times of 2`)
          }
        }),
      )
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'faults.2/nothing-waits-forever',
    clause: 'faults.2',
    title: 'if the backend is silent, every call ends by its deadline with a typed error, even twenty at once',
    async run({ withFaults, wrapped }) {
      const { store, sound } = await withFaults([{ do: 'hang before', at: 1, ...forever }])
      await sound.addMessages('s', turns(3))
      const calls: Record<string, () => Promise<unknown>> = {
        addMessages: () => store.addMessages('s', turns(1)),
        getHistory: () => store.getHistory('s'),
        getEntries: () => store.getEntries('s'),
        trim: () => store.trim('s', { maxEntries: 1 }),
        clear: () => store.clear('s'),
        listSnapshots: () => store.listSnapshots('s'),
        sessionInfo: () => store.sessionInfo('s'),
      }
      const all = Object.entries(calls).flatMap(([name, call]) => [1, 2, 3].map(() => [name, call] as const))
      const outcomes = await Promise.all(all.map(async ([name, call]) => [name, await outcomeOf(call(), name)]))
      for (const [name, outcome] of outcomes) assert.notEqual(outcome, 'done', `${name} cannot have been done`)
      same(await sound.getHistory('s'), turns(3))
      const answers: (() => void)[] = []
      const answersLater = overridden((under) => ({
        read: (...given) => new Promise((resolve) => answers.push(() => resolve(under.read(...given)))),
      }))
      const { store: late } = await wrapped(answersLater, { on: sound, timeout: 100 })
      same(await outcomeOf(late.getHistory('s'), 'the first read'), 'no')
      const second = outcomeOf(late.getHistory('s'), 'a read while an earlier one is answered too late')
      for (const answer of answers.splice(0, 1)) answer()
      same(await second, 'no')
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'faults.3/after-an-outage',
    clause: 'faults.3',
    title: 'after an outage during thirty concurrent writes, the store works again and has what it acknowledged',
    async run({ withFaults }) {
      for (const kind of ['fail before', 'fail after', 'hang before', 'hang after'] as const) {
        const { store, sound } = await withFaults([{ do: kind, at: 4, times: 10 }])
        const write = (content: string) => store.addMessages('s', [{ role: 'user', content }])
        const told = new Map<string, Outcome>()
        const during = async (content: string) => told.set(content, await outcomeOf(write(content), content))
        await Promise.all(Array.from({ length: 30 }, (_, writer) => during(`during ${writer}`)))
        for (let turn = 0, attempts = 0; turn < 3; attempts++) {
          assert.ok(attempts < 100, `${kind}: the store does not work again`)
          if ((await outcomeOf(write(`after ${turn}`), kind)) === 'done') turn += 1
        }
        const kept = texts(await sound.getHistory('s'))
        for (const [content, outcome] of told) {
          const count = kept.filter((text) => text === content).length
          assert.ok(outcome === 'unknown' ? count <= 1 : count === (outcome === 'done' ? 1 : 0), `${kind}: ${content}`)
        }
        for (let turn = 0; turn < 3; turn++) assert.ok(kept.includes(`after ${turn}`), kind)
      }
    },
  },
  {
    level,
    needs: ['faults', 'codes'],
    id: 'faults.4/failed-read-is-an-error',
    clause: 'faults.4',
    title: 'under every fault, a read returns everything or fails, and never returns less',
    async run({ withFaults, close }) {
      const reads: Record<string, (store: FullStore) => Promise<unknown>> = {
        getHistory: (store) => store.getHistory('s'),
        getEntries: async (store) => (await store.getEntries('s')).map(({ seq }) => seq),
        listSnapshots: async (store) => (await store.listSnapshots('s')).map(({ id }) => id),
        recall: async (store) => (await store.recall('s', [1, 0])).map(({ summary }) => summary.text),
      }
      const { store: sound } = await withFaults([], { timeout: 60_000 })
      await sound.addMessages('s', turns(2100))
      await sound.addSummary('s', { text: 'x', embedding: [1, 0] })
      await sound.saveSnapshot('s', { id: 'p' })
      const underFault = (name: string, whole: unknown, fault: PlannedFault) =>
        untilFired(async (timeout) => {
          const { store, backend } = await withFaults([fault], { on: sound, timeout })
          const about = `${name}, ${fault.do} at call ${fault.at}`
          const seen: unknown[] = []
          const read = reads[name]?.(store).then((value) => seen.push(value)) ?? assert.fail(name)
          const outcome = await outcomeOf(read, about)
          if (outcome === 'done') same(seen, [whole], about)
          else same(outcome, 'no', about)
          await close(store)
          return { backend, about, isBack: true }
        })
      for (const [name, read] of Object.entries(reads)) {
        const { store, backend } = await withFaults([], { on: sound, timeout: 60_000 })
        const whole = await read(store)
        const { calls } = backend
        const faults = ['fail before', 'fail after', 'hang before', 'delay'].flatMap((kind) =>
          Array.from({ length: calls }, (_, index) => ({ do: kind as FaultKind, at: index + 1, milliseconds: 20 })),
        )
        const plans = faults.flatMap((fault) => [fault, { ...fault, ...forever }])
        await severalAtOnce(plans, 16, (plan) => underFault(name, whole, plan))
      }
    },
  },
]
