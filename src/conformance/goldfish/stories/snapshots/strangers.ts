import type { ChatMessage } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Bowl, Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { alter, tick } from '../../helpers/reshape.ts'

const snapshotsKept = 50
const snapshotsListed = 10

function poorAfterARollback(
  sound: FullStore,
  bowl: Bowl,
  change: (message: ChatMessage) => ChatMessage,
): Partial<FullStore> {
  const poor = shared(bowl, 'poor', () => new Set<string>())
  return {
    async rollbackToSnapshot(session, id, options) {
      const result = await sound.rollbackToSnapshot(session, id, options)
      poor.add(session)
      return result
    },
    async getHistory(session, options) {
      const history = await sound.getHistory(session, options)
      return poor.has(session) ? alter(history, change) : history
    },
  }
}

/** What stores that strangers wrote, from scratch and in an afternoon, do to their snapshots and their expiry. */
export const strangers: Goldfish[] = [
  {
    name: 'snapshot-of-role-and-content',
    breaks: ['snapshots.1'],
    story: 'A snapshot keeps who said what. Names, metadata and tool calls are gone after a rollback.',
    store: (sound, bowl) => poorAfterARollback(sound, bowl, ({ role, content }) => ({ role, content })),
  },
  {
    name: 'snapshot-without-the-metadata',
    breaks: ['snapshots.1', 'processes.5'],
    on: 'sqlite',
    story: 'The snapshots table has no column for the metadata. It was added to the messages later.',
    store: (sound, bowl) => poorAfterARollback(sound, bowl, ({ metadata, ...message }) => message),
  },
  {
    name: 'the-newest-fifty-snapshots',
    breaks: ['snapshots.2'],
    story: 'Saving the 51st snapshot of a session silently drops the first.',
    store: (sound) => ({
      async saveSnapshot(session, options) {
        const saved = await sound.saveSnapshot(session, options)
        const own = (await sound.listSnapshots(session)).filter(({ automatic }) => !automatic)
        for (const { id } of own.slice(0, -snapshotsKept)) await sound.deleteSnapshot(session, id)
        return saved
      },
    }),
  },
  {
    name: 'lists-ten-snapshots',
    breaks: ['snapshots.2'],
    story: 'The list is a page of ten, and there is no way to the next one.',
    store: (sound) => ({
      async listSnapshots(session) {
        const all = await sound.listSnapshots(session)
        const shown = new Set(all.filter(({ automatic }) => !automatic).slice(-snapshotsListed))
        return all.filter((snapshot) => snapshot.automatic || shown.has(snapshot))
      },
    }),
  },
  {
    name: 'lists-the-snapshots-of-all-sessions',
    breaks: ['snapshots.2'],
    story: 'SELECT * FROM snapshots, without a WHERE for the session. One user sees the labels of another.',
    store(sound, bowl) {
      const sessions = shared(bowl, 'sessions', () => new Set<string>())
      return {
        async saveSnapshot(session, options) {
          const saved = await sound.saveSnapshot(session, options)
          if (options === undefined) sessions.add(session)
          return saved
        },
        async listSnapshots(session) {
          const lists = await Promise.all([...sessions].map((one) => sound.listSnapshots(one)))
          return sessions.has(session) ? lists.flat() : sound.listSnapshots(session)
        },
      }
    },
  },
  {
    name: 'snapshot-named-by-the-clock',
    breaks: ['snapshots.2'],
    story: 'The id of a snapshot is the time. Within one millisecond, a second snapshot replaces the first.',
    store: (sound) => ({
      async saveSnapshot(session, options) {
        if (options !== undefined) return sound.saveSnapshot(session, options)
        const id = `at ${Date.now()}`
        const isTaken = (await sound.listSnapshots(session)).some((one) => one.id === id)
        if (isTaken) await sound.deleteSnapshot(session, id).catch(() => {})
        return sound.saveSnapshot(session, { id }).catch(() => sound.saveSnapshot(session))
      },
    }),
  },
  {
    name: 'two-saves-at-once-leave-one',
    breaks: ['snapshots.2'],
    races: 'snapshots.2/saved-at-once',
    story: 'The list of snapshots is read, extended and written back. If two do this at once, one is lost.',
    store(sound, bowl) {
      const lists = shared(bowl, 'lists', () => new Map<string, Set<string>>())
      return {
        async saveSnapshot(session, options) {
          const read = new Set(lists.get(session))
          const saved = await sound.saveSnapshot(session, options)
          if (options !== undefined) return saved
          await tick()
          const lost = [...(lists.get(session) ?? [])].filter((id) => !read.has(id))
          lists.set(session, read.add(saved.id))
          for (const id of lost) await sound.deleteSnapshot(session, id).catch(() => {})
          return saved
        },
      }
    },
  },
  {
    name: 'snapshots-counted-by-each-handle',
    breaks: ['snapshots.2'],
    story: "Each handle numbers its snapshots from 1. The second handle's first snapshot replaces the first handle's.",
    store(sound) {
      let count = 0
      return {
        async saveSnapshot(session, options) {
          if (options !== undefined) return sound.saveSnapshot(session, options)
          count += 1
          const id = `snapshot ${count}`
          const replace = async () => {
            await sound.deleteSnapshot(session, id).catch(() => {})
            return sound.saveSnapshot(session, { id })
          }
          return replace()
            .catch(replace)
            .catch(() => sound.saveSnapshot(session))
        },
      }
    },
  },
  {
    name: 'rollback-writes-back-the-list',
    breaks: ['snapshots.8'],
    races: 'snapshots.8/during-a-rollback',
    story: 'A rollback writes the session back as it read it. A snapshot that was saved meanwhile is missing.',
    store: (sound) => ({
      async rollbackToSnapshot(session, id, options) {
        const before = new Set((await sound.listSnapshots(session)).map((one) => one.id))
        await tick()
        const meanwhile = (await sound.listSnapshots(session)).filter((one) => !before.has(one.id) && !one.automatic)
        for (const one of meanwhile) await sound.deleteSnapshot(session, one.id).catch(() => {})
        return sound.rollbackToSnapshot(session, id, options)
      },
    }),
  },
  {
    name: 'snapshots-end-with-their-handle',
    breaks: ['snapshots.2'],
    on: 'sqlite',
    story: 'The turns are in the file, but the snapshots are in a Map inside the handle that saved them.',
    store(sound) {
      const own: [session: string, id: string][] = []
      return {
        async saveSnapshot(session, options) {
          const saved = await sound.saveSnapshot(session, options)
          own.push([session, saved.id])
          return saved
        },
        async close() {
          for (const [session, id] of own.splice(0)) await sound.deleteSnapshot(session, id).catch(() => {})
          await sound.close()
        },
      }
    },
  },
  {
    name: 'expiry-by-a-timer-of-the-handle',
    breaks: ['ttl.2'],
    on: 'sqlite',
    story: 'A timer deletes the session when it expires. Closing stops the timer, and the session stays forever.',
    store(sound) {
      const written = new Set<string>()
      return {
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          written.add(session)
          return added
        },
        async close() {
          for (const session of written) await sound.expire(session, { never: true }).catch(() => {})
          await sound.close()
        },
      }
    },
  },
]
