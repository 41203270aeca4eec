import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChatMessage } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Bowl, Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { alter } from '../../helpers/reshape.ts'
import { unflushed } from '../../helpers/unflushed.ts'

/** Ids this long belong to the case of hostile ids, which asks for something else. */
const longId = 100

const known = new Set(['role', 'content', 'id', 'name', 'toolCalls', 'toolCallId', 'metadata'])

/** The sessions to which this process wrote. */
const ownSessions = (bowl: Bowl) => shared(bowl, 'own sessions', () => new Set<string>())

function notesOwn(sound: FullStore, own: Set<string>): Pick<FullStore, 'addMessages'> {
  return {
    async addMessages(session, messages, options) {
      own.add(session)
      return sound.addMessages(session, messages, options)
    },
  }
}

/** What reads well in the process that wrote it, but not in another. */
export const elsewhere: Goldfish[] = [
  {
    name: 'other-fields-stay-in-the-process',
    breaks: ['processes.1'],
    on: 'sqlite',
    story: 'Known fields are columns. All others exist only in the cache of the worker that wrote them.',
    store(sound, bowl) {
      const own = ownSessions(bowl)
      return {
        ...notesOwn(sound, own),
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          if (own.has(session)) return history
          const entries = (message: ChatMessage) => Object.entries(message).filter(([name]) => known.has(name))
          return alter(history, (message) => Object.fromEntries(entries(message)) as unknown as ChatMessage)
        },
      }
    },
  },
  {
    name: 'files-named-without-signs',
    breaks: ['processes.1'],
    on: 'sqlite',
    story:
      "One file per session, named by the letters of its id. One worker's cache hides the mix-up; the next worker reads it.",
    store(sound, bowl) {
      const own = ownSessions(bowl)
      const file = `${bowl.location}.names`
      const names = (): Record<string, string> => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
      const nameOf = (session: string) => `file ${session.replace(/\W/g, '_')}`
      return {
        async addMessages(session, messages, options) {
          own.add(session)
          if (session.length < longId) writeFileSync(file, JSON.stringify({ ...names(), [nameOf(session)]: session }))
          return sound.addMessages(session, messages, options)
        },
        getHistory: async (session, options) =>
          sound.getHistory(own.has(session) ? session : (names()[nameOf(session)] ?? session), options),
      }
    },
  },
  {
    name: 'bytes-become-an-object-elsewhere',
    breaks: ['processes.1'],
    on: 'sqlite',
    story: 'JSON.stringify turns bytes into an object of numbers. The worker that wrote them has them in its cache.',
    store(sound, bowl) {
      const own = ownSessions(bowl)
      return {
        ...notesOwn(sound, own),
        async getEntries(session, options) {
          const entries = await sound.getEntries(session, options)
          if (!own.has(session)) {
            for (const entry of entries)
              if (entry.kind === 'message') Object.assign(entry.message, plain(entry.message))
          }
          return entries
        },
      }
    },
  },
  {
    name: 'snapshots-counted-by-each-process',
    breaks: ['processes.5'],
    on: 'sqlite',
    story: "Each worker numbers its snapshots from 1. A new worker's first snapshot replaces the old worker's.",
    store(sound, bowl) {
      const counter = shared(bowl, 'counter', () => ({ last: 0 }))
      return {
        async saveSnapshot(session, options) {
          if (options !== undefined) return sound.saveSnapshot(session, options)
          counter.last += 1
          const id = `snapshot ${counter.last}`
          const isTaken = (await sound.listSnapshots(session)).some((one) => one.id === id)
          if (isTaken) await sound.deleteSnapshot(session, id)
          return sound.saveSnapshot(session, { id })
        },
      }
    },
  },
  {
    name: 'saves-are-flushed-at-the-close',
    breaks: ['processes.5'],
    on: 'sqlite',
    story: 'A snapshot is listed at once but written when the handle is closed. A killed worker loses it.',
    store(sound, bowl) {
      const { note, recover, getHistory, close } = unflushed(sound, bowl)
      return {
        getHistory,
        close,
        async saveSnapshot(session, options) {
          const saved = await sound.saveSnapshot(session, options)
          note({ forget: session, id: saved.id })
          return saved
        },
        async listSnapshots(session) {
          await recover()
          return sound.listSnapshots(session)
        },
      }
    },
  },
]

function plain(message: ChatMessage): object {
  const bytes = Object.entries(message).filter(([, value]) => value instanceof Uint8Array)
  return Object.fromEntries(bytes.map(([name, value]) => [name, { ...(value as Uint8Array) }]))
}
