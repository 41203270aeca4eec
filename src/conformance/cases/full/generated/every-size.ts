import type { ChatMessage } from '../../../../core/entries.ts'
import type { SessionPage } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import { texts, turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

const full = { level: 'full' } as const

/** Sizes on both sides of every page and batch that somebody is likely to have chosen. */
const sizes = [10, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 2048].flatMap((size) => [
  size - 1,
  size,
  size + 1,
])
/** Fewer sizes, where each one costs more. */
const fewSizes = [1, 2, 99, 100, 101, 255, 256, 257, 500, 501, 1000, 1001, 1025, 2049]

type Page = Promise<SessionPage>

/** Every page of a list. A list that does not come to an end is read until it has shown more than there is. */
async function listed(read: (cursor: string | null) => Page, most: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: SessionPage = await read(cursor)
    ids.push(...page.sessions.map(({ id }) => id))
    cursor = page.cursor
    if (ids.length > most) break
  }
  return ids.toSorted((one, other) => (one < other ? -1 : 1))
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `session ${`${index}`.padStart(5, '0')}`)

/** Grows a memory session by session, and lists it in pages of every size whenever it is around some pages. */
async function listAtEverySize(store: FullStore, options: { owner?: string }): Promise<void> {
  const limits = [1, 2, 3, 7, 16]
  const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 100, 101]
  let begun = 0
  for (const count of counts) {
    for (; begun < count; begun++) await store.addMessages(numbered(begun + 1).at(-1) ?? '', turns(1), options)
    for (const limit of limits) {
      const read = (cursor: string | null) => store.listSessions({ ...options, limit, cursor })
      same(await listed(read, count), numbered(count), `${count} sessions in pages of ${limit}`)
    }
  }
  for (const count of [999, 1000, 1001, 2001]) {
    const more = numbered(count).slice(begun)
    await Promise.all(more.map((id) => store.addMessages(id, turns(1), options)))
    begun = count
    const read = (limit: number) => (cursor: string | null) => store.listSessions({ ...options, limit, cursor })
    const byDefault = (cursor: string | null) => store.listSessions({ ...options, cursor })
    same(await listed(byDefault, count), numbered(count), `${count} sessions in pages of the default size`)
    for (const limit of [100, 256, 999, 1000, 1001, 5000]) {
      same(await listed(read(limit), count), numbered(count), `${count} sessions in pages of ${limit}`)
    }
  }
}

/** A long history, read forward and backward in pages of one size. */
async function pageThrough(
  read: (page: object) => Promise<{ readonly items: readonly string[]; readonly seqs: readonly number[] }>,
  size: number,
  expected: readonly string[],
  about: string,
): Promise<void> {
  for (const [count, edge, side] of [
    ['first', 'after', -1],
    ['last', 'before', 0],
  ] as const) {
    const seen: string[] = []
    let at: number | undefined
    for (let pages = 0; pages <= expected.length / size + 1; pages++) {
      const { items, seqs } = await read({ [count]: size, ...(at !== undefined && { [edge]: at }) })
      if (items.length === 0) break
      seen.splice(count === 'first' ? seen.length : 0, 0, ...items)
      at = seqs.at(side)
    }
    same(seen, expected, `${about} in pages of ${size}, ${count} first`)
  }
}

const contents = (messages: readonly ChatMessage[]) => texts(messages).map(String)

export const everySize: WrittenCase[] = [
  {
    ...full,
    id: 'isolation.4/every-page-boundary',
    clause: 'isolation.4',
    title: 'listing sessions returns each one once, for any list length and page size',
    run: ({ store }) => listAtEverySize(store, {}),
  },
  {
    ...full,
    id: 'owners.4/every-page-boundary',
    clause: 'owners.4',
    needs: ['owners'],
    title: "listing an owner's sessions returns each one once, for any list length and page size",
    async run({ store }) {
      await store.addMessages('of somebody else', turns(1), { owner: 'bob' })
      await listAtEverySize(store, { owner: 'ann' })
    },
  },
  {
    ...full,
    id: 'history.8/every-page-size',
    clause: 'history.8',
    needs: ['pages', 'versions'],
    title: 'paging through a history or its entries, in either direction, misses nothing at any page size',
    async run({ store }) {
      const long = turns(1100)
      await store.addMessages('s', long)
      for (const size of [7, ...sizes.filter((one) => one > 60 && one < 1200)]) {
        const history = async (page: object) => {
          const read = await store.getHistory('s', page)
          return { items: contents(read), seqs: read.seqs }
        }
        const entries = async (page: object) => {
          const read = await store.getEntries('s', page)
          const messages = read.map((entry) => (entry.kind === 'message' ? entry.message : {}))
          return { items: contents(messages), seqs: read.map(({ seq }) => seq) }
        }
        await pageThrough(history, size, contents(long), 'the history')
        await pageThrough(entries, size, contents(long), 'the entries')
      }
    },
  },
  {
    ...full,
    id: 'history.2/every-number',
    clause: 'history.2',
    needs: ['windows', 'versions'],
    title: 'asking for the newest n, or a budget of n, returns exactly n for every n',
    async run({ store }) {
      await store.addMessages('s', turns(2100))
      for (const n of [0, 1, 2, ...sizes, 2099, 2100, 2101]) {
        const expected = n === 0 ? [] : contents(turns(2100)).slice(-n)
        const last = await store.getHistory('s', { last: n })
        same(contents(last), expected, `the newest ${n}`)
        same(last.seqs.length, expected.length, `the seqs of the newest ${n}`)
        if (n > 0) same(contents(await store.getHistory('s', { maxEntries: n })), expected, `a budget of ${n}`)
      }
    },
  },
  {
    ...full,
    id: 'adding.10/every-size',
    clause: 'adding.10',
    needs: ['versions'],
    title: 'a batch of any size, with entries of every kind, is added completely and in order',
    async run({ store }) {
      for (const size of fewSizes) {
        const batch = turns(size).map((message, index) =>
          index % 3 === 2
            ? { kind: 'record' as const, record: { type: 't', number: index } }
            : { kind: 'message' as const, message },
        )
        const { seqs } = await store.addEntries(`${size}`, batch)
        same(seqs.length, size, `the seqs of a batch of ${size}`)
        const read = await store.getEntries(`${size}`)
        same(read, batch, `a batch of ${size}`)
      }
    },
  },
  {
    ...full,
    id: 'forking.1/every-size',
    clause: 'forking.1',
    title: 'a fork of a session of any length is complete',
    async run({ store }) {
      for (const size of fewSizes) {
        await store.addMessages(`${size}`, turns(size))
        const { entries } = await store.fork(`${size}`, `fork of ${size}`)
        same(entries, size, `the entries of a fork of ${size}`)
        same(contents(await store.getHistory(`fork of ${size}`)), contents(turns(size)), `a fork of ${size}`)
      }
    },
  },
  {
    ...full,
    id: 'transfer.2/every-size',
    clause: 'transfer.2',
    title: 'an imported session of any length is complete',
    async run({ store, open }) {
      const elsewhere = await open()
      for (const size of fewSizes) {
        await store.addMessages(`${size}`, turns(size))
        const { entries } = await elsewhere.importSession(await store.exportSession(`${size}`))
        same(entries, size, `the entries of an import of ${size}`)
        same(contents(await elsewhere.getHistory(`${size}`)), contents(turns(size)), `an import of ${size}`)
      }
    },
  },
  {
    ...full,
    id: 'recall.1/every-number',
    clause: 'recall.1',
    title: 'recall finds the nearest k among any number of summaries, for any k',
    async run({ store }) {
      const total = 300
      const angle = (index: number) => [Math.cos(index / 200), Math.sin(index / 200)]
      for (let index = 0; index < total; index++)
        await store.addSummary('s', { text: `${index}`, embedding: angle(index) })
      for (const k of [1, 2, 5, 10, 99, 100, 101, 255, 256, 257, 299, 300, 301]) {
        const found = await store.recall('s', angle(0), { k })
        const nearest = Array.from({ length: Math.min(k, total) }, (_, index) => `${index}`)
        same(
          found.map(({ summary }) => summary.text),
          nearest,
          `the nearest ${k}`,
        )
      }
      same((await store.recall('s', angle(0))).length, 5, 'how many are found by default')
    },
  },
  {
    ...full,
    id: 'snapshots.2/every-number',
    clause: 'snapshots.2',
    title: 'any number of snapshots can be saved, listed and read',
    async run({ store }) {
      const ids: string[] = []
      for (const count of [10, 11, 12, 50, 51, 100, 101, 150]) {
        for (; ids.length < count; ) {
          ids.push(`p${ids.length}`)
          await store.addMessages('s', turns(1, ids.length))
          await store.saveSnapshot('s', { id: ids.at(-1) })
        }
        same(
          (await store.listSnapshots('s')).map(({ id }) => id),
          ids,
          `${count} snapshots`,
        )
        for (const at of [0, 1, count - 11, count - 10, count - 1]) {
          const history = await store.getHistory('s', { at: `p${Math.max(0, at)}` })
          same(contents(history), contents(turns(Math.max(0, at) + 1)), `snapshot ${at} of ${count}`)
        }
      }
    },
  },
]
