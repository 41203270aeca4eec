import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'

/** Batches with a bad last message: this many good ones come before it, in cases of two levels. */
const goodMessages = [120, 1200]
const oneSlice = 2000

function withoutDetails(error: unknown): never {
  const { code, message } = error as Error & { code?: string }
  throw Object.assign(new Error(message), { code })
}

/** Calls that fail silently, or do more or less than requested. */
export const errors: Goldfish[] = [
  {
    name: 'errors-that-name-nothing',
    breaks: ['errors.2'],
    story: "The error has the right code. Which of a thousand sessions it is about is anybody's guess.",
    store: (sound) => ({
      fork: (...given) => sound.fork(...given).catch(withoutDetails),
      describe: (...given) => sound.describe(...given).catch(withoutDetails),
    }),
  },
  {
    name: 'bad-batch-skipped-in-silence',
    breaks: ['errors.1'],
    story: 'A failed write is logged, and the agent carries on. Nobody reads the log.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(
          session,
          Array.isArray(messages) && messages.includes(null as never) ? [] : messages,
          options,
        ),
    }),
  },
  {
    name: 'good-part-of-a-bad-batch-kept',
    breaks: ['adding.1', 'errors.1'],
    story: 'Messages that cannot be written are left out, the others are kept, and an error is thrown anyway.',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        const isRefused = (error: unknown) => (error as { code?: string }).code === 'INVALID_ENTRY'
        try {
          return await sound.addMessages(session, messages, options)
        } catch (error) {
          const { length } = messages ?? []
          const isTheCase = isRefused(error) && goodMessages.includes(length - 1)
          if (isTheCase) await sound.addMessages(session, messages.slice(0, -1), options)
          throw error
        }
      },
    }),
  },
  {
    name: 'clearing-nobody-clears-everybody',
    breaks: ['errors.1'],
    story: 'No id, no WHERE.',
    store: (sound) => ({
      async clear(session, options) {
        if (session === undefined) await sound.clearAll()
        return sound.clear(session, options)
      },
    }),
  },
  {
    name: 'trim-to-nonsense-does-nothing',
    breaks: ['errors.1'],
    story: 'NaN is not less than anything, so nothing is cut, and there is no error.',
    store: (sound) => ({
      trim: (session, options) =>
        sound.trim(session, Number.isNaN(options?.maxEntries) ? { ...options, maxEntries: 1_000_000 } : options),
    }),
  },
  {
    name: 'minus-one-trims-everything',
    breaks: ['errors.1'],
    story: 'slice(-n) with a negative n. The call fails in the end, but the turns are gone.',
    store: (sound) => ({
      async trim(session, options) {
        if ((options?.maxEntries ?? 0) < 0) await sound.clear(session)
        return sound.trim(session, options)
      },
    }),
  },
  {
    name: 'undecodable-history-is-empty',
    breaks: ['values.7'],
    story: 'A read error is caught and becomes an empty list. The bot greets an old friend as a stranger.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const isHard = history.some(({ metadata }) => String(metadata?.['value']).includes('\ud800'))
        return isHard ? sound.getHistory(`nothing of ${history.length}`) : history
      },
    }),
  },
  {
    name: 'clear-drops-the-snapshots',
    breaks: ['clearing.1'],
    story: 'Clearing the conversation removes everything with its id, including the snapshots.',
    store: (sound) => ({
      async clear(session, options) {
        const cleared = await sound.clear(session, options)
        for (const { id } of options === undefined ? await sound.listSnapshots(session) : []) {
          await sound.deleteSnapshot(session, id)
        }
        return cleared
      },
    }),
  },
  {
    name: 'clear-removes-2000-at-most',
    breaks: ['clearing.1'],
    story: 'Clearing deletes one slice of 2,000 and assumes that was everything.',
    store: (sound) => ({
      async clear(session, options) {
        const history = await sound.getHistory(session)
        const cleared = await sound.clear(session, options)
        if (history.length > oneSlice) await sound.addMessages(session, history.slice(oneSlice))
        return cleared
      },
    }),
  },
  {
    name: 'clear-all-clears-a-page',
    breaks: ['clearing.2'],
    story: 'clearAll clears only the first page of a hundred sessions.',
    store: (sound) => ({
      async clearAll() {
        const { sessions } = await sound.listSessions({ limit: 100 })
        for (const { id } of sessions) await sound.clear(id)
        return sessions.length
      },
    }),
  },
  {
    name: 'clear-all-deletes',
    breaks: ['clearing.2'],
    story: 'clearAll deletes the sessions, snapshots and all.',
    store: (sound) => ({ clearAll: () => sound.deleteAllSessions() }),
  },
  {
    name: 'deleted-but-for-its-snapshots',
    breaks: ['clearing.3'],
    story: 'Deleting a session leaves its snapshots in their table. They are listed for the next session with that id.',
    store: (sound, bowl) => ({
      async deleteSession(session) {
        const left = shared(bowl, 'left', () => new Map<string, Awaited<ReturnType<typeof sound.listSnapshots>>>())
        const snapshots = session ? await sound.listSnapshots(session) : []
        if (snapshots.length > 0) left.set(session, snapshots)
        return sound.deleteSession(session)
      },
      async listSnapshots(session) {
        const left = shared(bowl, 'left', () => new Map<string, Awaited<ReturnType<typeof sound.listSnapshots>>>())
        return [...(left.get(session) ?? []), ...(await sound.listSnapshots(session))]
      },
    }),
  },
]
