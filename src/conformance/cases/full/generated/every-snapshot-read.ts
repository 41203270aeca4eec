import type { ChatMessage, Entry } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Capability } from '../../../store-definition.ts'
import { same } from '../../helpers/same.ts'
import { texts, turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

const of = (entries: readonly Entry[]) => entries.map((entry) => entry)

/** Every way to read a state that was saved. What it returns must not depend on what the session is now. */
const reads: Readonly<
  Record<string, { needs?: readonly Capability[]; read(store: FullStore, at: string): Promise<unknown> }>
> = {
  history: { read: async (store, at) => texts(await store.getHistory('s', { at })) },
  'the-newest': {
    needs: ['windows'],
    read: async (store, at) => {
      const histories: ChatMessage[][] = []
      for (const last of [0, 1, 3, 100]) histories.push(await store.getHistory('s', { at, last }))
      return histories.map(texts)
    },
  },
  budgets: {
    needs: ['windows'],
    read: async (store, at) => {
      const histories: ChatMessage[][] = []
      for (const maxEntries of [1, 3, 100]) {
        histories.push(await store.getHistory('s', { at, maxEntries }))
        histories.push(await store.getHistory('s', { at, maxEntries, keepSystem: true }))
        histories.push(await store.getHistory('s', { at, maxEntries, startOn: 'user' }))
        histories.push(await store.getHistory('s', { at, maxTokens: maxEntries, countTokens: () => 1 }))
      }
      return histories.map(texts)
    },
  },
  pages: {
    needs: ['pages'],
    read: async (store, at) => {
      const pages: ChatMessage[][] = []
      for (const page of [{ first: 2 }, { first: 2, after: 2 }, { last: 2, before: 3 }, { after: 3 }, { before: 3 }]) {
        pages.push(await store.getHistory('s', { at, ...page }))
      }
      return pages.map(texts)
    },
  },
  entries: { read: async (store, at) => of(await store.getEntries('s', { at })) },
  'entries-by-kind': {
    needs: ['pages'],
    read: async (store, at) => [
      of(await store.getEntries('s', { at, kinds: ['record', 'summary'] })),
      of(await store.getEntries('s', { at, kinds: ['message'], last: 2 })),
      of(await store.getEntries('s', { at, first: 3 })),
    ],
  },
  recall: { read: async (store, at) => (await store.recall('s', [1, 0], { at, k: 100 })).map(({ seq }) => seq) },
}

/** Every way to change a session after it was saved. */
const changes: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  'more was added': async (store) => {
    await store.addMessages('s', turns(3, 20))
    await store.addSummary('s', { text: 'later', embedding: [1, 0] })
    await store.addEntries('s', [{ kind: 'record', record: { type: 'later' } }])
  },
  'it was trimmed': (store) => store.trim('s', { maxEntries: 2 }),
  'it was compacted': (store) => store.compact('s', { keep: 1, summarize: () => ({ text: 'sum', embedding: [1, 0] }) }),
  'it was cut': (store) => store.rewind('s', { to: 0 }),
  'it was cleared': (store) => store.clear('s'),
  'it was rolled back': (store) => store.rollbackToSnapshot('s', 'early'),
  'more was added again': (store) => store.addMessages('s', turns(4, 40)),
  'it was swept': (store) => store.sweep(),
}

export const everySnapshotRead: WrittenCase[] = Object.entries(reads).map(([name, { needs = [], read }]) => ({
  id: `history.4/every-change-later-${name}`,
  clause: 'history.4',
  level: 'full',
  needs: [...needs, 'versions'],
  title: `a saved state reads the same after every later change: ${name.replaceAll('-', ' ')}`,
  async run({ store }) {
    await store.addMessages('s', [{ role: 'system', content: 'rules' }, ...turns(2)])
    await store.saveSnapshot('s', { id: 'early' })
    await store.addMessages('s', turns(3, 3))
    await store.addSummary('s', { text: 'then', embedding: [1, 0] })
    await store.addEntries('s', [{ kind: 'record', record: { type: 'then' } }])
    await store.saveSnapshot('s', { id: 'p' })
    const [saved, early] = [await read(store, 'p'), await read(store, 'early')]
    for (const [change, make] of Object.entries(changes)) {
      await make(store)
      same(await read(store, 'p'), saved, `after ${change}`)
      same(await read(store, 'early'), early, `the earlier one, after ${change}`)
    }
  },
}))
