import type { FaultyMethod } from '../../../faults/fault-plan.ts'
import { after } from '../../../plain/after.ts'
import type { FullStore } from '../../case.ts'
import { patience } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** Operations that start over if the path changed meanwhile. */
const operations: Readonly<Record<string, [of: FaultyMethod, act: (store: FullStore) => Promise<unknown>]>> = {
  trim: ['commit', (store) => store.trim('s', { maxEntries: 2 })],
  compact: ['commit', (store) => store.compact('s', { keep: 1, summarize: () => 'sum' })],
  rewind: ['commit', (store) => store.rewind('s', { to: 2 })],
  deleteSessions: ['erase', (store) => store.deleteSessions({ owner: 'ann' })],
}

export const keepsChanging: WrittenCase[] = [
  {
    level: 'faults',
    needs: ['faults', 'codes', 'versions', 'edits', 'owners'],
    id: 'deadlines.1/path-keeps-changing',
    clause: 'deadlines.1',
    title:
      'an operation whose session changes before each of its commits ends by its deadline and changes nothing; time in summarize does not count',
    async run({ store: sound, withFaults, wrapped }) {
      await sound.addMessages('s', turns(5), { owner: 'ann' })
      await sound.saveSnapshot('s', { id: 'p' })
      for (const [name, [of, act]] of Object.entries(operations)) {
        const meanwhile = () => sound.rollbackToSnapshot('s', 'p')
        const plan = [{ do: 'pause', at: 1, times: Number.POSITIVE_INFINITY, of, meanwhile } as const]
        const outcome = async (timeout: number) => {
          const { store } = await withFaults(plan, { on: sound, timeout })
          return (await act(store).catch(Object)) as { code?: unknown; applied?: unknown; retryable?: unknown }
        }
        let { code, applied, retryable } = await outcome(250)
        if (applied === 'unknown') ({ code, applied, retryable } = await outcome(patience()))
        same({ code, applied, retryable }, { code: 'TIMEOUT', applied: 'no', retryable: true }, `how ${name} ends`)
        same(texts(await sound.getHistory('s')), texts(turns(5)), `after ${name}`)
      }
      /** Slow is not broken: a machine too busy for the first timeout gets a longer one. */
      const slowly = async (timeout: number) => {
        const { store } = await wrapped((backend) => backend, { on: sound, timeout })
        const summarize = async () => {
          await sound.rollbackToSnapshot('s', 'p')
          await after(timeout + 1).promise
          return 'sum'
        }
        const { removed } = await store.compact('s', { keep: 1, summarize })
        same(removed, 4, 'how many turns were compacted, though the path had changed when the summary was there')
      }
      await slowly(500).catch(() => slowly(patience() / 2))
    },
  },
]
