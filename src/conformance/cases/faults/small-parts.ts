import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { overridden } from './helpers/overridden.ts'
import { contentOf } from './helpers/paired-operations.ts'

/** Every call that reads entries, by what it returns. */
const reads: Readonly<Record<string, (store: FullStore, copy: string) => Promise<unknown>>> = {
  getHistory: (store) => store.getHistory('s'),
  'getHistory at a snapshot': (store) => store.getHistory('s', { at: 'p' }),
  'the newest': async (store) => texts(await store.getHistory('s', { last: 7 })),
  'the oldest': async (store) => texts(await store.getHistory('s', { first: 7 })),
  'a page forward': async (store) => texts(await store.getHistory('s', { first: 9, after: 12 })),
  'a page backward': async (store) => texts(await store.getHistory('s', { last: 9, before: 30 })),
  'all before': async (store) => texts(await store.getHistory('s', { before: 30 })),
  'all after': async (store) => texts(await store.getHistory('s', { after: 12 })),
  'by messages': async (store) => texts(await store.getHistory('s', { maxEntries: 8 })),
  'by tokens': async (store) => texts(await store.getHistory('s', { maxTokens: 8, countTokens: () => 1 })),
  'with system messages': async (store) => texts(await store.getHistory('s', { maxEntries: 8, keepSystem: true })),
  'from a user on': async (store) => texts(await store.getHistory('s', { maxEntries: 7, startOn: 'user' })),
  getEntries: (store) => store.getEntries('s'),
  'getEntries of two kinds': (store) => store.getEntries('s', { kinds: ['summary', 'record'] }),
  'the newest of a kind': (store) => store.getEntries('s', { kinds: ['record'], last: 3 }),
  'the oldest of a kind': (store) => store.getEntries('s', { kinds: ['record'], first: 3 }),
  recall: async (store) => (await store.recall('s', [1, 3], { k: 8 })).map(({ seq, score }) => [seq, score]),
  'recall at a snapshot': async (store) => (await store.recall('s', [1, 3], { k: 8, at: 'p' })).map(({ seq }) => seq),
  operation: async (store) => (await store.operation('s', 'first'))?.entries,
  verify: async (store) => {
    const { ok, entries, damage } = await store.verify('s')
    return { ok, entries, damage }
  },
  stats: (store) => store.stats(),
  exportSession: (store) => store.exportSession('s'),
  fork: async (store, copy) => {
    await store.fork('s', copy)
    const entries = (await store.getEntries(copy)).map(contentOf)
    await store.deleteSession(copy)
    return entries
  },
  'trim, compact and rewind': async (store, copy) => {
    await store.fork('s', copy)
    await store.trim(copy, { maxEntries: 20 })
    const given: unknown[] = []
    await store.compact(copy, { keep: 9, summarize: (old) => `sum of ${given.push(...old)}` })
    const { removed } = await store.rewind(copy, { before: (await store.getHistory(copy)).seqs.at(-4) ?? 0 })
    const left = (await store.getEntries(copy)).map(contentOf)
    await store.deleteSession(copy)
    return [given, removed.map(contentOf), left]
  },
}

/** A path of several parts that are not in the order of their seqs, with entries of every kind and size. */
async function fill(store: FullStore): Promise<void> {
  await store.addMessages('s', [{ role: 'system', content: 'rules' }, ...turns(14)], { operationId: 'first' })
  await store.saveSnapshot('s', { id: 'early' })
  for (let number = 0; number < 12; number++) {
    await store.addSummary('s', { text: `note ${number}`.repeat(1 + (number % 4) * 9), embedding: [1, number] })
    await store.addEntries('s', [{ kind: 'record', record: { type: 't', text: 'x'.repeat(number * 17) } }])
    await store.addMessages('s', turns(2, 20 + 2 * number))
  }
  await store.saveSnapshot('s', { id: 'p' })
  await store.compact('s', { keep: 18, summarize: () => ({ text: 'compacted', embedding: [2, 1] }) })
  await store.addMessages('s', turns(5, 60))
  await store.saveSnapshot('s', { id: 'compacted' })
  await store.rollbackToSnapshot('s', 'early')
  await store.addMessages('s', turns(4, 70))
  await store.rollbackToSnapshot('s', 'p')
  await store.addMessages('s', turns(9, 80))
}

export const smallParts: WrittenCase[] = [
  {
    level: 'faults',
    needs: ['faults', 'windows', 'pages', 'edits', 'operations', 'versions', 'bytes'],
    id: 'history.1/in-small-parts',
    clause: 'history.1',
    title: 'every read is complete, however little the backend returns at once',
    async run({ store: sound, wrapped }) {
      await fill(sound)
      for (const maxBytes of [1, 150, 1000]) {
        const inParts = overridden((under) => ({
          read: (session, want, deadline) =>
            under.read(session, want.maxBytes === undefined ? want : { ...want, maxBytes }, deadline),
        }))
        const { store } = await wrapped(inParts, { on: sound })
        for (const [name, read] of Object.entries(reads)) {
          same(await read(store, 'copy'), await read(sound, 'copy'), `${name}, in parts of ${maxBytes} bytes`)
        }
      }
    },
  },
]
