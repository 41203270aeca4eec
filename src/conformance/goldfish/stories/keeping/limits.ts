import type { Added } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { pick, tick } from '../../helpers/reshape.ts'

/** The limits that clients and servers have by default, and that nobody asks about. */
const limit = { page: 1000, hits: 10_000, rows: 2000, chunk: 128, request: 100 } as const
/** Longer than what most cases add at a time: they would be caught by the pieces, not by the moment between them. */
const fewTurns = 6

/** A goldfish that writes longer batches in chunks, each in its own commit. */
function chunks(most: number, sizeOf: (length: number) => number): NonNullable<Goldfish['store']> {
  return (sound) => ({
    async addMessages(session, messages, options) {
      if (!Array.isArray(messages) || messages.length <= most || options !== undefined) {
        return sound.addMessages(session, messages, options)
      }
      const size = sizeOf(messages.length)
      const seqs: number[] = []
      let added: Added = { version: null, epoch: null, seqs }
      for (let from = 0; from < messages.length; from += size) {
        added = await sound.addMessages(session, messages.slice(from, from + size))
        seqs.push(...added.seqs)
        await tick()
      }
      return { ...added, seqs }
    },
  })
}

/** Sizes at which something is left out. */
export const limits: Goldfish[] = [
  {
    name: 'hidden-limit-of-1000',
    breaks: ['history.1'],
    story: 'The query has a default limit of 1,000. It is nowhere in the documentation.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return options === undefined ? pick(history, (_, __, index) => index >= history.length - limit.page) : history
      },
    }),
  },
  {
    name: 'hidden-limit-of-10000',
    breaks: ['adding.1'],
    story: 'The search index returns at most 10,000 hits, oldest first.',
    store: (sound) => ({
      async getHistory(session, options) {
        return pick(await sound.getHistory(session, options), (_, __, index) => index < limit.hits)
      },
    }),
  },
  {
    name: 'full-page-taken-for-the-last',
    breaks: ['history.1'],
    story: 'Pages of 64. If the last one is full, the turn on its edge is on no page.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const isFull = history.length > 0 && history.length % 64 === 0 && options === undefined
        return isFull ? pick(history, (_, __, index) => index < history.length - 1) : history
      },
    }),
  },
  {
    name: 'last-n-is-the-oldest-n',
    breaks: ['history.2'],
    seen: 'https://github.com/google/adk-python/issues/911',
    story: 'ORDER BY seq LIMIT n. The agent is shown how the conversation began.',
    store: (sound) => ({
      async getHistory(session, options) {
        if (!options?.last) return sound.getHistory(session, options)
        const history = await sound.getHistory(session, { ...options, last: undefined })
        return pick(history, (_, __, index) => index < (options.last ?? 0))
      },
    }),
  },
  {
    name: 'last-0-is-everything',
    breaks: ['history.2'],
    story: '`if (last)` is false for 0, so none means all.',
    store: (sound) => ({
      getHistory: (session, options) =>
        sound.getHistory(session, options?.last === 0 ? { ...options, last: undefined } : options),
    }),
  },
  {
    name: 'last-n-at-most-1000',
    breaks: ['history.2'],
    story: 'Asking for the last 1,001 returns 1,000.',
    store: (sound) => ({
      getHistory: (session, options) =>
        sound.getHistory(session, options?.last ? { ...options, last: Math.min(options.last, limit.page) } : options),
    }),
  },
  {
    name: 'last-n-counts-records-of-tool-calls',
    breaks: ['history.2'],
    story: 'The newest n rows are read, and rows that are not messages are dropped afterwards.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        if (!options?.last || options.at !== undefined) return history
        const newest = new Set((await sound.getEntries(session, { last: options.last })).map(({ seq }) => seq))
        return pick(history, (_, seq) => newest.has(seq))
      },
    }),
  },
  {
    name: 'batch-cut-at-2000',
    breaks: ['adding.1'],
    story: 'The server takes 2,000 rows at a time. The rest of a longer batch is dropped, and the answer is OK.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages?.length > limit.rows ? messages.slice(0, limit.rows) : messages, options),
    }),
  },
  {
    name: 'batch-of-whole-chunks-loses-its-last',
    breaks: ['adding.1'],
    story: 'Chunks of 128, and an off-by-one when the batch fills them exactly.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(
          session,
          messages?.length > 0 && messages.length % limit.chunk === 0 ? messages.slice(0, -1) : messages,
          options,
        ),
    }),
  },
  {
    name: 'second-chunk-fails',
    breaks: ['adding.1', 'errors.1'],
    story: 'A long batch is sent in chunks of 100. The last one is rejected, and those before it stay.',
    store: chunks(limit.request, () => limit.request),
  },
  {
    name: 'batch-seen-half-written',
    breaks: ['adding.1'],
    races: 'adding.1/no-part-is-seen',
    story: 'A batch is several commits. A reader at the wrong moment gets a question without its answer.',
    store: chunks(fewTurns, (length) => Math.ceil(length / 2)),
  },
]
