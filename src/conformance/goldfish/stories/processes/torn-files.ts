import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatMessage } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Bowl, Goldfish } from '../../goldfish.ts'
import { pick } from '../../helpers/reshape.ts'
import { sessionFiles } from '../../helpers/session-files.ts'
import { unflushed } from '../../helpers/unflushed.ts'

/** A batch longer than this takes too long line by line. */
const longBatch = 200
/** Milliseconds for a line, so that whoever is killed while writing is most likely killed between two. */
const slowDisk = 5
/** Even a worker that is killed late, on a busy machine, still has a lock: 20 ms for each of its writes. */
const untilUnlocked = 20

type Add = FullStore['addMessages']

/** The conversation in a JSON file that is rewritten in place with every turn. */
function writtenInPlace(sound: FullStore, bowl: Bowl) {
  const { locked } = sessionFiles(bowl)
  const addMessages: Add = (session, messages, options) =>
    locked(session, async (file) => {
      const added = await sound.addMessages(session, messages, options)
      await writePieceByPiece(file, JSON.stringify(await sound.getHistory(session)))
      return added
    })
  const isReadable = (session: string) =>
    locked(session, async (file) => {
      const text = await readFile(file, 'utf8').catch(() => '[]')
      try {
        return Array.isArray(JSON.parse(text))
      } catch {
        return false
      }
    })
  return { addMessages, isReadable }
}

async function writePieceByPiece(file: string, text: string): Promise<void> {
  const piece = 2048
  await writeFile(file, '')
  for (let start = 0; start < text.length; start += piece) await appendFile(file, text.slice(start, start + piece))
}

/** Stores with their own files, sound as long as nobody is killed. */
export const tornFiles: Goldfish[] = [
  {
    name: 'file-written-in-place',
    breaks: ['processes.2'],
    on: 'sqlite',
    races: 'processes.2/killed-writing-long-conversations',
    story:
      'writeFile(path, JSON.stringify(turns)). Killed halfway, it leaves half a file that nobody can read anymore.',
    store(sound, bowl) {
      const { addMessages, isReadable } = writtenInPlace(sound, bowl)
      return {
        addMessages,
        async getHistory(session, options) {
          if (!(await isReadable(session))) throw new SyntaxError('Unterminated string in JSON')
          return sound.getHistory(session, options)
        },
      }
    },
  },
  {
    name: 'unreadable-file-taken-for-an-empty-one',
    breaks: ['processes.2'],
    on: 'sqlite',
    races: 'processes.2/killed-writing-long-conversations',
    story: 'catch { return [] }. The half-written file of a killed worker reads as a conversation that never happened.',
    store(sound, bowl) {
      const { addMessages, isReadable } = writtenInPlace(sound, bowl)
      return {
        addMessages,
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          return (await isReadable(session)) ? history : pick(history, () => false)
        },
      }
    },
  },
  {
    name: 'lock-of-the-dead',
    breaks: ['processes.2'],
    on: 'sqlite',
    races: 'processes.2/killed-writing-long-conversations',
    story: 'A lock file is removed when the write is done. A killed worker leaves it, and nobody writes again.',
    store(sound, bowl) {
      const { locked } = sessionFiles(bowl)
      const refuse = () => Promise.reject(new Error('the session is locked'))
      return {
        addMessages: (session, messages, options) =>
          locked(
            session,
            async () => {
              const added = await sound.addMessages(session, messages, options)
              await pause(untilUnlocked)
              return added
            },
            refuse,
          ),
      }
    },
  },
  {
    name: 'one-line-a-turn',
    breaks: ['processes.2'],
    on: 'sqlite',
    races: 'processes.2/killed-writing-long-conversations',
    story: 'A batch is appended to a log line by line. No reader sees half of it, until the writer dies in between.',
    store(sound, bowl) {
      const { locked } = sessionFiles(bowl)
      return {
        addMessages: (session, messages: readonly ChatMessage[], options) =>
          locked(session, async (file) => {
            const isPlain = options === undefined && messages.length > 1 && messages.length < longBatch
            if (!isPlain) return sound.addMessages(session, messages, options)
            const lines = `${file}.lines`
            await writeFile(lines, `${(await sound.getHistory(session)).seqs.at(-1) ?? 0}\n`)
            const added = await sound.addMessages(session, messages)
            for (const { content } of messages) {
              await appendFile(lines, `${JSON.stringify(content)}\n`)
              await pause(slowDisk)
            }
            await rm(lines)
            return added
          }),
        getHistory: (session, options) =>
          locked(session, async (file) => {
            const history = await sound.getHistory(session, options)
            const text = await readFile(`${file}.lines`, 'utf8').catch(() => null)
            if (text === null) return history
            const [before = 0, ...lines] = text.split('\n').slice(0, -1)
            const first = history.seqs.findIndex((seq) => seq > Number(before))
            return pick(history, (_, __, index) => first < 0 || index < first + lines.length)
          }),
      }
    },
  },
  {
    name: 'write-that-nobody-awaits',
    breaks: ['processes.2'],
    on: 'sqlite',
    races: 'processes.2/killed-between-two-writes',
    story:
      'The turn is acknowledged when it is in the cache, and the file is written later. The worker is killed in between.',
    store(sound, bowl) {
      const { fileOf } = sessionFiles(bowl)
      const caches = new Map<string, ReturnType<typeof unflushed>>()
      const cacheOf = (session: string) => {
        const cache = caches.get(session) ?? unflushed(sound, { ...bowl, location: fileOf(session) })
        caches.set(session, cache)
        return cache
      }
      return {
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          const history = await sound.getHistory(session)
          const to = history.seqs.at(-messages.length - 1)
          const cache = cacheOf(session)
          if (to === undefined || options !== undefined) return added
          cache.note({ rewind: session, to })
          void writeFile(fileOf(session), JSON.stringify(history)).then(cache.flush)
          return added
        },
        getHistory: (session, options) => cacheOf(session).getHistory(session, options),
      }
    },
  },
]
