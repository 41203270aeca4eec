import type { History } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { pick, tick } from '../../helpers/reshape.ts'

/** Histories longer than this are not cached. */
const longestCached = 24
/** The turns that the case adds before and after it clears: as many again. */
const refilledTurns = 2
/** Longer histories than this are read in two parts, and the first part has this many turns. */
const readAtOnce = 2000
const firstPart = 1000
/** The case starts its next read within this many turns of the event loop. */
const turnsBetweenReads = 10

/** Reads that show another moment than they claim. */
export const caches: Goldfish[] = [
  {
    name: 'cache-that-never-hears-of-others',
    breaks: ['adding.8', 'clearing.1'],
    story: 'Each handle keeps what it last read until it writes itself. It does not see what others add.',
    store: (sound) => {
      const cache = new Map<string, History>()
      return {
        async getHistory(session, options) {
          if (options !== undefined) return sound.getHistory(session, options)
          const history = cache.get(session) ?? (await sound.getHistory(session))
          cache.set(session, history)
          const info = await sound.sessionInfo(session)
          if (history.length === 0 || info === null || history.length > longestCached) cache.delete(session)
          return pick(history, () => true)
        },
        addMessages(session, messages, options) {
          cache.delete(session)
          return sound.addMessages(session, messages, options).finally(() => cache.delete(session))
        },
        async trim(session, options) {
          return sound.trim(session, options).finally(() => cache.clear())
        },
        async clear(session, options) {
          return sound.clear(session, options).finally(() => cache.clear())
        },
      }
    },
  },
  {
    name: 'cache-renewed-by-length',
    breaks: ['clearing.1'],
    story:
      'The cache is invalidated when the number of turns changes. After a clear and as many new turns, it has not.',
    store: (sound) => {
      const cache = new Map<string, History>()
      return {
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          if (options !== undefined || history.length !== refilledTurns) return history
          const cached = cache.get(session) ?? history
          cache.set(session, cached)
          return pick(cached, () => true)
        },
      }
    },
  },
  {
    name: 'read-in-two-parts',
    breaks: ['clearing.3'],
    story:
      'A long history is read page by page. The session is deleted and recreated in between, and half of the result is another conversation.',
    store(sound) {
      const deleted = new Set<string>()
      const firstReads = new Map<string, Promise<unknown>>()
      const halfWay = new Map<string, (successor: History) => void>()
      return {
        async getHistory(session, options) {
          const read = sound.getHistory(session, options)
          firstReads.set(session, read)
          const first = await read
          if (first.length < readAtOnce || options !== undefined || !deleted.has(session)) return first
          const second = await new Promise<History>((resolve) => halfWay.set(session, resolve))
          const isShort = second.length < first.length
          return pick(isShort ? first : second, () => true).map((turn, index) =>
            index < firstPart ? (first[index] ?? turn) : turn,
          ) as History
        },
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          if (!deleted.delete(session)) return added
          halfWay.get(session)?.(await sound.getHistory(session))
          return added
        },
        async deleteSession(session, options) {
          deleted.add(session)
          for (let turn = 0; turn < turnsBetweenReads; turn++) await tick()
          await firstReads.get(session)
          return sound.deleteSession(session, options)
        },
      }
    },
  },
]
