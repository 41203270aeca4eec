import type { ChatMessage } from '../../../../core/entries.ts'
import type { History } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { lost, pick, showsWhatIsLeft, tick } from '../../helpers/reshape.ts'

/** More writes in progress than any case has, except that of fifty writers. */
const poolAndQueue = 260
/** A batch of the case, over a thousand by one. */
const overAThousand = 1001
/** The batches that the cases of many writers add. */
const batchesOfWriters = [2, 3]
/** What the case of another handle adds at a time. */
const acknowledgedTurns = 2
/** What the case adds while it clears. */
const lateTurns = 3

/** The last seq of a session, with who wrote it. */
interface Writer {
  end: number
  by: object
}

/** What goes wrong under concurrency, on one handle or on two. */
export const concurrency: Goldfish[] = [
  {
    name: 'read-modify-write',
    breaks: ['adding.6'],
    races: 'adding.6/fifty-writers-at-once',
    story:
      'It reads the list, appends, and writes the list back. The later of two workers wins, and a turn disappears.',
    store: (sound, bowl) => ({
      ...showsWhatIsLeft(sound, bowl),
      async addMessages(session, messages, options) {
        const ends = shared(bowl, 'ends', () => new Map<string, number>())
        const read = ends.get(session) ?? 0
        const added = await sound.addMessages(session, messages, options)
        const now = ends.get(session)
        if (now !== undefined && added.seqs[0] === now + 1) {
          for (let seq = read + 1; seq <= now; seq++) lost(bowl, session).add(seq)
        }
        const end = added.seqs.at(-1)
        if (end !== undefined) ends.set(session, end)
        return added
      },
      async deleteSession(session) {
        bowl.shared.clear()
        return sound.deleteSession(session)
      },
    }),
  },
  {
    name: 'lock-per-handle',
    breaks: ['adding.6'],
    races: 'adding.6/fifty-writers-at-once',
    story: 'Each handle has its own mutex, so two workers on one memory overwrite each other.',
    store: (sound, bowl) => {
      const me = {}
      return {
        ...showsWhatIsLeft(sound, bowl),
        async addMessages(session, messages, options) {
          const writers = shared(bowl, 'writers', () => new Map<string, Writer>())
          const read = writers.get(session)
          const added = await sound.addMessages(session, messages, options)
          const now = writers.get(session)
          if (now && now.by !== me && now.end > (read?.end ?? 0) && messages.length > 1)
            lost(bowl, session).add(now.end)
          const end = added.seqs.at(-1)
          if (end !== undefined) writers.set(session, { end, by: me })
          return added
        },
      }
    },
  },
  {
    name: 'pool-exhausted',
    breaks: ['adding.6'],
    races: 'adding.6/fifty-writers-at-once',
    story: 'Ten connections and a queue of ninety. The next write is silently skipped.',
    store: (sound) => {
      let underWay = 0
      return {
        async addMessages(session, messages, options) {
          underWay += 1
          try {
            return await sound.addMessages(session, underWay > poolAndQueue ? [] : messages, options)
          } finally {
            underWay -= 1
          }
        },
      }
    },
  },
  {
    name: 'batches-interleaved',
    breaks: ['adding.6'],
    races: 'adding.6/fifty-writers-at-once',
    story: 'A batch is written message by message. Two concurrent batches are shuffled into each other.',
    store: (sound) => ({
      async addMessages(session, messages: readonly ChatMessage[], options) {
        if (
          !batchesOfWriters.includes(messages?.length) ||
          options !== undefined ||
          !messages.every((one) => one?.metadata)
        ) {
          return sound.addMessages(session, messages, options)
        }
        const added = await sound.addMessages(session, messages.slice(0, 1))
        const rest = await sound.addMessages(session, messages.slice(1))
        return { ...rest, seqs: [...added.seqs, ...rest.seqs] }
      },
    }),
  },
  {
    name: 'tool-calls-by-another-way',
    breaks: ['adding.9'],
    story: 'Tool calls go through a separate queue. An answer added after a call ends up before it.',
    store: (sound) => ({
      async recordToolCall(session, toolCall, options) {
        const copy = { ...toolCall }
        await tick()
        return sound.recordToolCall(session, copy, options)
      },
    }),
  },
  {
    name: 'acknowledged-before-it-is-written',
    breaks: ['adding.8'],
    story: 'Fire and forget: the write is acknowledged, and for a few milliseconds it exists only in its own buffer.',
    store: (sound, bowl) => {
      const mine = new Set<string>()
      const buffered = shared(bowl, 'buffered', () => new Set<string>())
      return {
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          for (const seq of added.seqs.length === acknowledgedTurns ? added.seqs : []) {
            const key = `${session} ${seq}`
            mine.add(key)
            buffered.add(key)
            setTimeout(() => buffered.delete(key), 500).unref()
          }
          return added
        },
        async getHistory(session, options) {
          const isFlushed = (key: string) => mine.has(key) || !buffered.has(key)
          return pick(await sound.getHistory(session, options), (_, seq) => isFlushed(`${session} ${seq}`))
        },
      }
    },
  },
  {
    name: 'large-batches-in-the-background',
    breaks: ['adding.1'],
    story: 'Batches of a thousand are handed to a background job, and acknowledged before it has started.',
    store: (sound, bowl) => ({
      ...showsWhatIsLeft(sound, bowl),
      async addMessages(session, messages, options) {
        const added = await sound.addMessages(session, messages, options)
        if (added.seqs.length === overAThousand) {
          const later = lost(bowl, session)
          for (const seq of added.seqs) later.add(seq)
          setTimeout(() => later.clear(), 3000).unref()
        }
        return added
      },
    }),
  },
  {
    name: 'late-write-brings-back-what-was-cleared',
    breaks: ['clearing.1'],
    story: 'A write that was in progress while the session was cleared saves the list it had read, old turns and all.',
    store(sound, bowl) {
      const reads = shared(bowl, 'reads', () => new Map<string, Promise<History>>())
      const clears = shared(bowl, 'clears', () => new Map<string, Promise<unknown>>())
      const clearOnceRead = async (session: string, options: Parameters<typeof sound.clear>[1]) => {
        await reads.get(session)
        return sound.clear(session, options)
      }
      return {
        async addMessages(session, messages, options) {
          if (messages.length !== lateTurns) return sound.addMessages(session, messages, options)
          const earlier = clears.get(session)
          const read = sound.getHistory(session)
          reads.set(session, read)
          const old = await read
          const added = await sound.addMessages(session, messages, options)
          const meanwhile = clears.get(session)
          await meanwhile
          if (meanwhile !== earlier && old.length > 0) await sound.addMessages(session, [...old])
          return added
        },
        clear(session, options) {
          const cleared = clearOnceRead(session, options)
          clears.set(session, cleared)
          return cleared
        },
      }
    },
  },
  {
    name: 'trim-forgets-what-came-meanwhile',
    breaks: ['trimming.8'],
    races: 'trimming.8/trimming-under-50-writers',
    story: 'The trim copies what should stay into a new list. Concurrent writes went into the old one.',
    store: (sound, bowl) => ({
      ...showsWhatIsLeft(sound, bowl),
      async addMessages(session, messages, options) {
        const trims = shared(bowl, 'trims', () => new Map<string, number>())
        const before = trims.get(session)
        const added = await sound.addMessages(session, messages, options)
        if (trims.get(session) !== before) for (const seq of added.seqs) lost(bowl, session).add(seq)
        return added
      },
      trim(session, options) {
        const trims = shared(bowl, 'trims', () => new Map<string, number>())
        trims.set(session, (trims.get(session) ?? 0) + 1)
        return sound.trim(session, options)
      },
    }),
  },
  {
    name: 'two-trims-cut-twice',
    breaks: ['trimming.8'],
    races: 'trimming.8/nothing-added-meanwhile-is-lost',
    story:
      'It counts the turns that are too many, then deletes that many of the oldest. Two trims at once delete twice as many.',
    store: (sound) => ({
      async trim(session, options) {
        const { maxEntries } = options ?? {}
        if (maxEntries === undefined || Object.keys(options).length > 1) return sound.trim(session, options)
        const tooMany = (await sound.getHistory(session)).length - maxEntries
        await tick()
        const now = (await sound.getHistory(session)).length
        if (!(tooMany > 0 && now - tooMany < maxEntries)) return sound.trim(session, options)
        return sound.trim(session, { maxEntries: Math.max(1, now - tooMany) })
      },
    }),
  },
]
