import assert from 'node:assert/strict'
import type { Backend } from '../../../core/backend.ts'
import { MemoryStoreBackendError } from '../../../core/errors.ts'
import type { FullStore } from '../../case.ts'
import { fakeClock } from '../helpers/fake-clock.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import { longCopy } from '../helpers/watch-whole.ts'
import type { WrittenCase } from '../written-case.ts'
import { outcomeOf } from './helpers/outcome-of.ts'
import { overridden } from './helpers/overridden.ts'

const faults = { level: 'faults', needs: ['faults', 'codes'] } as const

/** The second slice of a copy is gone when the copy is to be published. */
function losesASlice(): (backend: Backend) => Backend {
  let slices = 0
  return overridden((under) => ({
    async stage(...given) {
      slices += 1
      if (slices !== 2) await under.stage(...given)
    },
  }))
}

const cannotGiveUp = overridden(() => ({
  async unstage() {
    throw new MemoryStoreBackendError('BACKEND_FAILED', 'no connection', { applied: 'unknown', retryable: false })
  },
}))

/** Both ways to write a long copy. */
const copies: Readonly<Record<string, (store: FullStore, source: FullStore) => Promise<unknown>>> = {
  fork: (store) => store.fork('s', 'copy'),
  importSession: async (store, source) => store.importSession({ ...(await source.exportSession('s')), id: 'copy' }),
}

async function requireNothing(store: FullStore, about: string): Promise<void> {
  same(await store.sessionInfo('copy'), null, `${about}: there is no session`)
  same((await store.verify()).ok, true, `${about}: nothing is damaged`)
}

export const slicesOfACopy: WrittenCase[] = [
  {
    ...faults,
    id: 'forking.3/a-slice-is-lost',
    clause: 'forking.3',
    title:
      'a long copy of which a slice is lost, or cannot be written, is rejected whole, and made whole the next time',
    async run({ store: sound, wrapped, withFaults }) {
      await sound.addMessages('s', turns(longCopy))
      for (const [name, copy] of Object.entries(copies)) {
        const { store: losing } = await wrapped(losesASlice(), { on: sound })
        await assert.rejects(copy(losing, sound), { code: 'COPY_LOST', retryable: true }, `${name}, a slice is lost`)
        await requireNothing(sound, `${name}, a slice is lost`)
        for (const kind of ['fail before', 'fail after', 'hang after'] as const) {
          const plan = [{ do: kind, at: 2, times: Number.POSITIVE_INFINITY, of: 'stage' } as const]
          const { store: failing } = await withFaults(plan, { on: sound, timeout: 200 })
          const about = `${name}, ${kind} writing a slice`
          same(await outcomeOf(copy(failing, sound), about), 'no', `${about}: what it says was applied`)
          await requireNothing(sound, about)
        }
        await copy(sound, sound)
        same((await sound.getHistory('copy')).length, longCopy, `${name}, the next time`)
        await sound.deleteSession('copy')
      }
    },
  },
  {
    ...faults,
    id: 'sweeping.2/copies-that-were-given-up',
    clause: 'sweeping.2',
    title: 'what is left of a copy that was given up is kept for an hour, then counted, and swept exactly as counted',
    async run({ store: sound, open, wrapped }) {
      const source = await open()
      await source.addMessages('s', turns(longCopy))
      const copy = await source.exportSession('s')
      const damaged = { ...copy, entries: [...copy.entries.slice(0, -1), null as never] }
      const { store: failing } = await wrapped(cannotGiveUp, { on: sound })
      const refused = { code: 'INVALID_ENTRY', path: `copy.entries[${longCopy - 1}]` }
      await assert.rejects(failing.importSession(damaged), refused, 'what cannot be removed changes no error')
      same((await sound.stats()).sweepable.entries, 0, 'what may still be written is not counted')
      same((await sound.sweep()).entries, 0, 'what may still be written is not swept')
      const clock = fakeClock()
      try {
        clock.set(Date.now() + 3_600_001)
        const { entries } = (await sound.stats()).sweepable
        same((await sound.sweep()).entries, entries, 'as many are swept as were counted')
        same((await sound.stats()).sweepable, { entries: 0, bytes: 0 }, 'nothing is left')
        await assert.rejects(sound.importSession(damaged), refused)
        clock.set(Date.now() + 3_600_001)
        same((await sound.stats()).sweepable.entries, 0, 'an import that is refused leaves nothing')
      } finally {
        clock.restore()
      }
    },
  },
]
