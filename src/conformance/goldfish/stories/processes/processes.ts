import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause, setImmediate as tick } from 'node:timers/promises'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { inTurn, shared } from '../../helpers/bowl.ts'
import { unflushed } from '../../helpers/unflushed.ts'

/** Turns written in one transaction. */
const chunk = 50
/** A batch longer than this is written by cases about batches, where other goldfish swim: they would be caught there before anything is killed. */
const longBatch = 1000
/** Ids this long belong to the case of hostile ids, which asks for something else. */
const longId = 100
/** Long enough for the other process to write in between. */
const waitsForAWrite = 20

type History = Awaited<ReturnType<FullStore['getHistory']>>

/** What goes wrong only when a second process comes along. */
export const processes: Goldfish[] = [
  {
    name: 'turns-are-flushed-at-the-close',
    breaks: ['processes.1', 'processes.2'],
    on: 'sqlite',
    story: 'The save returns while the turn is still in a buffer that is flushed on close. A killed worker loses it.',
    store(sound, bowl) {
      const { note, getHistory, close } = unflushed(sound, bowl)
      return {
        getHistory,
        close,
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          const { seqs } = await sound.getHistory(session)
          const to = seqs.at(-messages.length - 1)
          if (to !== undefined) note({ rewind: session, to })
          return added
        },
      }
    },
  },
  {
    name: 'cuts-are-flushed-at-the-close',
    breaks: ['processes.1'],
    on: 'sqlite',
    story:
      'Clears and trims are kept in the process until it closes its handle. After a crash, the old turns are back.',
    store(sound, bowl) {
      const { note, getHistory, close } = unflushed(sound, bowl)
      const noteAll = async (session: string) => {
        const messages = await sound.getHistory(session)
        if (messages.length > 0 && messages.length < chunk) note({ restore: session, messages })
      }
      return {
        getHistory,
        close,
        async clear(session, options) {
          await noteAll(session)
          return sound.clear(session, options)
        },
        async trim(session, options) {
          await noteAll(session)
          return sound.trim(session, options)
        },
      }
    },
  },
  {
    name: 'rollbacks-are-flushed-at-the-close',
    breaks: ['processes.5'],
    on: 'sqlite',
    story:
      'A rollback is visible at once but written when the handle is closed. The worker is killed, and the turns it undid are back.',
    store(sound, bowl) {
      const { note, getHistory, close } = unflushed(sound, bowl)
      return {
        getHistory,
        close,
        async rollbackToSnapshot(session, snapshot, options) {
          const result = await sound.rollbackToSnapshot(session, snapshot, options)
          note({ rollback: session, id: result.leftBehind })
          return result
        },
      }
    },
  },
  {
    name: 'rollback-wipes-the-snapshots-of-other-processes',
    breaks: ['processes.5'],
    on: 'sqlite',
    story:
      'Tested in one process only: a rollback writes back the snapshots that this process knows, and those of the previous process are gone.',
    store(sound, bowl) {
      const own = shared(bowl, 'own snapshots', () => new Set<string>())
      return {
        async saveSnapshot(session, options) {
          const saved = await sound.saveSnapshot(session, options)
          own.add(saved.id)
          return saved
        },
        async rollbackToSnapshot(session, snapshot, options) {
          const result = await sound.rollbackToSnapshot(session, snapshot, options)
          own.add(result.leftBehind)
          for (const { id } of own.size === 1 ? await sound.listSnapshots(session) : []) {
            if (!own.has(id)) await sound.deleteSnapshot(session, id)
          }
          return result
        },
      }
    },
  },
  {
    name: 'reads-from-a-cache-of-its-own',
    breaks: ['processes.4'],
    on: 'sqlite',
    story:
      'Histories are cached in the process and only refreshed by its own writes. It does not see what other workers write.',
    backend: (sound, bowl) => ({
      async commit(...parameters) {
        const committed = await sound.commit(...parameters)
        shared(bowl, 'written', () => new Set<unknown>()).add(committed.version)
        return committed
      },
    }),
    store(sound, bowl) {
      const written = shared(bowl, 'written', () => new Set<unknown>())
      const cache = shared(bowl, 'cache', () => new Map<string, History>())
      return {
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          if (options !== undefined) return history
          const cached = cache.get(session)
          if (cached !== undefined && history.version !== null && !written.has(history.version)) return cached
          cache.set(session, history)
          return history
        },
      }
    },
  },
  {
    name: 'the-later-worker-wins',
    breaks: ['processes.3'],
    on: 'sqlite',
    races: 'processes.3/three-write-to-one-conversation',
    story: 'Read, add, write back. Two workers do it at once, the later one wins, and a turn disappears.',
    seen: 'https://github.com/redis/docs/pull/3466',
    store: (sound, bowl) => ({
      addMessages: (session, messages, options) =>
        inTurn(bowl, async () => {
          if (options !== undefined || messages.length === 0) return sound.addMessages(session, messages, options)
          const end = (await sound.getHistory(session)).seqs.at(-1) ?? 0
          const added = await sound.addMessages(session, messages)
          const isAlone = added.seqs[0] === end + 1 || end === 0
          if (isAlone || (await sound.sessionInfo(session)) === null) return added
          const { seqs } = await sound.getHistory(session)
          if (!seqs.includes(end) || seqs.at(-1) !== added.seqs.at(-1)) return added
          await sound.rewind(session, { to: end })
          return sound.addMessages(session, messages)
        }),
    }),
  },
  {
    name: 'trim-writes-back-what-it-read',
    breaks: ['processes.3'],
    on: 'sqlite',
    races: 'processes.3/one-trims-while-another-writes',
    story:
      'Trimming reads the history, cuts it and writes it back. What another worker added in between is overwritten.',
    store: (sound, bowl) => ({
      addMessages: (...parameters) => inTurn(bowl, () => sound.addMessages(...parameters)),
      trim: (session, options) =>
        inTurn(bowl, async () => {
          const end = (await sound.getHistory(session)).seqs.at(-1)
          for (let wait = 0; wait < waitsForAWrite; wait++) await tick()
          const trimmed = await sound.trim(session, options)
          const { seqs } = await sound.getHistory(session)
          if (end !== undefined && seqs.includes(end) && seqs.at(-1) !== end) {
            await sound.rewind(session, { to: end }).catch(() => {})
          }
          return trimmed
        }),
    }),
  },
  {
    name: 'a-killed-worker-leaves-half-a-batch',
    breaks: ['processes.2', 'adding.1'],
    on: 'sqlite',
    races: 'processes.2/killed-within-a-batch',
    story: 'A batch is written in chunks of 50, each in a separate transaction. The worker dies between two of them.',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        if (options !== undefined || messages.length <= chunk || messages.length > longBatch) {
          return sound.addMessages(session, messages, options)
        }
        let added = await sound.addMessages(session, messages.slice(0, chunk))
        for (let next = chunk; next < messages.length; next += chunk) {
          await tick()
          const more = await sound.addMessages(session, messages.slice(next, next + chunk))
          added = { ...more, seqs: [...added.seqs, ...more.seqs] }
        }
        return added
      },
    }),
  },
  {
    name: 'a-pointer-to-the-current-conversation',
    breaks: ['processes.3'],
    on: 'sqlite',
    races: 'processes.3/conversations-of-their-own',
    story:
      'The current conversation is recorded in a file that all workers share. One worker replies to the conversation of another.',
    store(sound, { location, ...bowl }) {
      const pointer = `${location}.current`
      return {
        addMessages: (session, messages, options) =>
          inTurn({ location, ...bowl }, async () => {
            if (options !== undefined || session.length > longId) return sound.addMessages(session, messages, options)
            writeFileSync(pointer, session)
            await pause(3)
            return sound.addMessages(readFileSync(pointer, 'utf8') || session, messages)
          }),
      }
    },
  },
  {
    name: 'operations-are-known-to-one-process',
    breaks: ['processes.3'],
    on: 'sqlite',
    story:
      "Retries are recognized by a table in the worker's memory. When another worker retries, the turn is written twice.",
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(
          session,
          messages,
          options?.operationId === undefined
            ? options
            : { ...options, operationId: `${options.operationId} ${process.pid}` },
        ),
    }),
  },
  {
    name: 'a-stale-write-of-another-process-is-taken',
    breaks: ['processes.3'],
    on: 'sqlite',
    story:
      'Versions are compared with what this worker wrote itself. A write that is stale because of another worker is accepted.',
    seen: 'https://github.com/google/adk-python/issues/4751',
    store(sound, bowl) {
      const written = shared(bowl, 'versions', () => new Set<unknown>())
      return {
        async addMessages(session, messages, options) {
          try {
            const added = await sound.addMessages(session, messages, options)
            written.add(added.version)
            return added
          } catch (error) {
            const { code, actual } = error as { code?: string; actual?: unknown }
            const isStale = code === 'VERSION_CONFLICT' && options?.ifVersion != null && actual !== null
            if (!isStale || written.has(actual) || written.has(options.ifVersion)) throw error
            const { ifVersion, ...rest } = options
            return sound.addMessages(session, messages, rest)
          }
        },
      }
    },
  },
  {
    name: 'setup-fails-for-the-second-who-begins',
    breaks: ['processes.6'],
    on: 'sqlite',
    story: 'Opening a new memory creates its tables, and fails if another process is doing the same.',
    backend(_, { location, ...bowl }) {
      const [begun, done] = [`${location}.begun`, `${location}.done`]
      const isMine = shared({ location, ...bowl }, 'begun by this process', () => !existsSync(begun))
      if (isMine) writeFileSync(begun, '')
      else if (!existsSync(done)) throw new Error('table messages already exists')
      return {
        async close() {
          writeFileSync(done, '')
          await _.close()
        },
        async commit(...parameters) {
          const committed = await _.commit(...parameters)
          writeFileSync(done, '')
          return committed
        },
      }
    },
  },
  {
    name: 'a-timer-keeps-the-process-alive',
    breaks: ['closing.4'],
    on: 'sqlite',
    story: 'A timer that flushes statistics keeps running after close. The script that used the store never ends.',
    store(sound, bowl) {
      shared(bowl, 'timer', () => setInterval(() => {}, 60_000))
      return { close: () => sound.close() }
    },
  },
]
