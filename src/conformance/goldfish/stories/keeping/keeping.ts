import type { ChatMessage } from '../../../../core/entries.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { alter, withItems } from '../../helpers/reshape.ts'

/** Only where a single call was recorded, as the case of this clause does: others record many, and look at other things. */
const isOneCall = (calls: readonly unknown[]) => calls.length === 1

/** What is added and read is not quite what was given, or is shared with the caller. */
export const keeping: Goldfish[] = [
  {
    name: 'keeps-the-callers-object',
    breaks: ['adding.4'],
    story: 'The memory holds the object that was passed in. The caller changes it, and that changes the past.',
    store: (sound, bowl) => ({
      async addMessages(session, messages, options) {
        const given = shared(bowl, 'given', () => new Map<string, unknown>())
        const added = await sound.addMessages(session, messages, options)
        for (const [index, seq] of added.seqs.entries()) given.set(`${session} ${seq}`, messages[index])
        return added
      },
      async getHistory(session, options) {
        const given = shared(bowl, 'given', () => new Map<string, ChatMessage>())
        const history = await sound.getHistory(session, options)
        const items = history.map((one, index) => {
          const kept = given.get(`${session} ${history.seqs[index]}`)
          return one.metadata?.['deep'] && kept ? { ...one, metadata: kept.metadata } : one
        })
        return withItems(history, items)
      },
    }),
  },
  {
    name: 'copied-a-moment-too-late',
    breaks: ['adding.4'],
    story:
      'The messages are serialized when the connection is free. By then, the caller is using the list for the next turn.',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        await Promise.resolve()
        return sound.addMessages(session, messages, options)
      },
    }),
  },
  {
    name: 'one-empty-list-for-all',
    breaks: ['history.5'],
    story: 'Every unknown session returns the same empty list. Someone puts a turn into it.',
    store: (sound, bowl) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return history.version === null ? shared(bowl, 'empty', () => history) : history
      },
    }),
  },
  {
    name: 'unknown-session-is-null',
    breaks: ['history.5'],
    story: 'A session that nobody wrote to is null instead of empty, and the agent fails at its first turn.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const isUnknown = history.version === null && session.startsWith('nobody')
        return isUnknown ? (null as never) : history
      },
    }),
  },
  {
    name: 'reading-begins-a-session',
    breaks: ['history.5'],
    story: 'Get or create: looking up a session creates it.',
    store: (sound) => ({
      async listSnapshots(session) {
        if ((await sound.sessionInfo(session)) === null) {
          await sound.addMessages(session, [{ role: 'user', content: '' }])
          await sound.clear(session)
        }
        return sound.listSnapshots(session)
      },
    }),
  },
  {
    name: 'nothing-is-an-empty-turn',
    breaks: ['adding.5'],
    story: 'An empty batch is written as one empty message.',
    store: (sound) => ({
      addMessages(session, messages, options) {
        const isNothing = Array.isArray(messages) && messages.length === 0 && !options
        return isNothing
          ? sound.addMessages(session, [{ role: 'user', content: '' }])
          : sound.addMessages(session, messages, options)
      },
    }),
  },
  {
    name: 'nothing-begins-a-session',
    breaks: ['adding.5'],
    story: 'Adding no message creates an empty session.',
    store: (sound) => ({
      async addMessages(session, messages, options) {
        const added = await sound.addMessages(session, messages, options)
        if (added.version !== null) return added
        await sound.addMessages(session, [{ role: 'user', content: '' }])
        return { ...(await sound.clear(session)), seqs: [] }
      },
    }),
  },
  {
    name: 'numbers-begin-again-after-a-clear',
    breaks: ['adding.3'],
    story: 'The next turn is numbered by the current count. After a clear, that number was already used.',
    store: (sound, bowl) => ({
      async clear(session, options) {
        shared(bowl, 'cleared', () => new Set<string>()).add(session)
        return sound.clear(session, options)
      },
      async addMessages(session, messages, options) {
        const added = await sound.addMessages(session, messages, options)
        if (!shared(bowl, 'cleared', () => new Set<string>()).has(session)) return added
        const { length } = await sound.getHistory(session)
        return { ...added, seqs: added.seqs.map((_, index) => length - added.seqs.length + index + 1) }
      },
    }),
  },
  {
    name: 'wrong-shape-accepted',
    breaks: ['adding.7'],
    story: 'A role that is not a string becomes "user", and the caller never finds out.',
    store: (sound) => ({
      addMessages(session, messages, options) {
        const repaired = Array.isArray(messages)
          ? messages.map((one) => (typeof (one?.role ?? '') === 'string' ? one : { ...one, role: 'user' }))
          : messages
        return sound.addMessages(session, repaired, options)
      },
    }),
  },
  {
    name: 'records-of-tool-calls-in-the-prompt',
    breaks: ['history.3'],
    story: 'Tool-call records are shown to the model as if someone had said them.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const calls = options ? [] : await sound.getEntries(session, { kinds: ['toolCall'] })
        const said = calls.map((one): ChatMessage => ({ role: 'assistant', content: `called ${one.kind}` }))
        return isOneCall(calls) ? withItems(history, [...history, ...said]) : history
      },
    }),
  },
  {
    name: 'kinds-taken-for-one-kind',
    breaks: ['history.3'],
    story: 'Only the first of the requested kinds is used.',
    store: (sound) => ({
      getEntries: (session, options) =>
        sound.getEntries(session, options?.kinds ? { ...options, kinds: options.kinds.slice(0, 1) } : options),
    }),
  },
  {
    name: 'snapshot-read-shows-the-present',
    breaks: ['history.4'],
    story: 'The limit is applied to a query that forgot about the snapshot.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return options?.at && options.last ? sound.getHistory(session, { last: options.last }) : history
      },
    }),
  },
  {
    name: 'version-of-an-earlier-read',
    breaks: ['history.6'],
    story: "The version returned with the items is from this handle's previous read.",
    store: (sound) => {
      const versions = new Map<string, string | null>()
      return {
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          const { epoch, seqs, overBudget } = history
          const version = versions.get(session) ?? history.version
          versions.set(session, history.version)
          return withItems(Object.assign([...history], { version, epoch, seqs, overBudget }), [...history])
        },
      }
    },
  },
  {
    name: 'unknown-options-ignored',
    breaks: ['history.7'],
    story: 'Passing `limit` instead of `last` returns everything, without an error.',
    store: (sound) => ({
      getHistory(session, options) {
        const { limit: _, ...known } = (options ?? {}) as { limit?: number }
        return sound.getHistory(session, options === null ? options : known)
      },
    }),
  },
  {
    name: 'returned-object-is-the-memory',
    breaks: ['adding.4'],
    story: 'Reads return the cached object itself. The caller adds a note to a tool call, and it is remembered.',
    store: (sound) => {
      const cache = new Map<string, ChatMessage>()
      return {
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          return alter(history, (message) => {
            const key = `${session} ${JSON.stringify(message.toolCalls?.[0]?.arguments ?? null)}`
            const [call] = message.toolCalls ?? []
            if (!call || Object.keys((call.arguments ?? {}) as object).length === 0) return message
            const kept = cache.get(key) ?? message
            cache.set(key, kept)
            return { ...message, toolCalls: [{ ...call, arguments: kept.toolCalls?.[0]?.arguments }] }
          })
        },
      }
    },
  },
]
