import { appendFileSync, statSync } from 'node:fs'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'

/** Cuts or rollbacks of a session. Only a long program gets there. */
const fewTimes = 2
/** More openings than any case makes; only a program reopens this often. */
const openingsUntilOld = 4

/** What takes several steps in a certain order that nobody thought of. */
export const programs: Goldfish[] = [
  {
    name: 'clear-after-two-trims-leaves-a-turn',
    breaks: ['model.1'],
    story: 'A clear right after a second trim works with stale offsets, and one turn stays.',
    store(sound, bowl) {
      const trims = shared(bowl, 'trims', () => new Map<string, number>())
      return {
        async trim(session, options) {
          const trimmed = await sound.trim(session, options)
          if (trimmed.removed > 0) trims.set(session, (trims.get(session) ?? 0) + 1)
          return trimmed
        },
        async clear(session, options) {
          const [newest] = await sound.getHistory(session, { last: 1 })
          const cleared = await sound.clear(session, options)
          if ((trims.get(session) ?? 0) >= fewTimes && newest) await sound.addMessages(session, [newest])
          trims.delete(session)
          return cleared
        },
      }
    },
  },
  {
    name: 'a-snapshot-of-a-state-rolled-back-to-is-empty',
    breaks: ['model.1'],
    story: 'A snapshot saved right after a second rollback remembers a path that was never written.',
    store(sound, bowl) {
      const rollbacks = shared(bowl, 'rollbacks', () => new Map<string, number>())
      const empty = shared(bowl, 'empty', () => new Set<string>())
      return {
        async rollbackToSnapshot(session, snapshot, options) {
          rollbacks.set(session, (rollbacks.get(session) ?? 0) + 1)
          const result = await sound.rollbackToSnapshot(session, snapshot, options)
          if (empty.has(snapshot)) await sound.clear(session)
          return result
        },
        async saveSnapshot(session, options) {
          const saved = await sound.saveSnapshot(session, options)
          const isIll = options === undefined && rollbacks.get(session) === fewTimes
          if (isIll) empty.add(saved.id)
          return saved
        },
        async addMessages(session, messages, options) {
          if (messages.length > 0 && rollbacks.get(session) !== fewTimes) rollbacks.delete(session)
          return sound.addMessages(session, messages, options)
        },
      }
    },
  },
  {
    name: 'the-fourth-opening-loses-a-turn',
    breaks: ['model.1'],
    on: 'sqlite',
    story:
      'Recovery runs at every opening. Once a file is old enough, it mistakes the newest turn for an unfinished one.',
    store(sound, { location }) {
      appendFileSync(`${location}.openings`, '.')
      let isRecovered = statSync(`${location}.openings`).size % openingsUntilOld !== 0
      return {
        async getHistory(session, options) {
          const { seqs } = await sound.getHistory(session)
          if (!isRecovered && seqs.length > 1) await sound.rewind(session, { to: seqs.at(-2) ?? 0 })
          isRecovered ||= seqs.length > 1
          return sound.getHistory(session, options)
        },
      }
    },
  },
  {
    name: 'an-operation-is-forgotten-by-the-second-rollback',
    breaks: ['model.1'],
    story: 'Each rollback resets the list of operations. After a second one, a named operation is unknown.',
    store(sound, bowl) {
      const rollbacks = shared(bowl, 'rollbacks', () => new Map<string, number>())
      return {
        async rollbackToSnapshot(session, snapshot, options) {
          rollbacks.set(session, (rollbacks.get(session) ?? 0) + 1)
          return sound.rollbackToSnapshot(session, snapshot, options)
        },
        async operation(session, id) {
          const result = await sound.operation(session, id)
          return (rollbacks.get(session) ?? 0) < fewTimes ? result : null
        },
      }
    },
  },
  {
    name: 'rewind-after-compaction-takes-the-summary',
    breaks: ['model.1'],
    story: 'Rewinding to the first turn after a summary compares numbers, and the summary has the higher one.',
    store: (sound) => ({
      async rewind(session, options) {
        const rewound = await sound.rewind(session, options)
        const kept = await sound.getEntries(session)
        const first = kept[0]
        const isIll =
          options.operationId === undefined && kept.length > 1 && first?.kind === 'summary' && first.standsIn
        if (isIll && options.to !== undefined && first.seq > options.to) await sound.rewind(session, { to: 0 })
        return rewound
      },
    }),
  },
]
