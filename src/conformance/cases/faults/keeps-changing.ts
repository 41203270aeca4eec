import type { FaultyMethod } from '../../../faults/fault-plan.ts'
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
    title: 'an operation whose session changes before each of its commits ends by its deadline and changes nothing',
    async run({ store: sound, withFaults }) {
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
    },
  },
]
