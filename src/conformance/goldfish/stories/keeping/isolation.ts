import type { ChatMessage } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'

/** The ids of most cases are a letter or two: they are spared, so that only ids that look alike are confused. */
const isSpared = (session: string) => session.length <= 3
/** Sessions with a neighbor whose id differs by a space; in other cases there is none. */
const isALetterOrTwo = (session: string) => session.length < 3
const cachedSessions = 256
/** What the case of conversations at once adds: a question, and an answer with the same text. */
const isEcho = (messages: readonly { readonly content?: unknown }[]) =>
  messages?.length === 2 && messages[0]?.content === messages[1]?.content
/** Only a search for everything, which the case of hostile ids makes. */
const searchForAll = 100

/** Stores conversations under other ids than the given ones. */
function renamed(rename: (session: string) => string): NonNullable<Goldfish['store']> {
  const name = (session: string) => (typeof session === 'string' && session !== '' ? rename(session) : session)
  return (sound) => ({
    addMessages: (session, messages, options) => sound.addMessages(name(session), messages, options),
    getHistory: (session, options) => sound.getHistory(name(session), options),
    trim: (session, options) => sound.trim(name(session), options),
    clear: (session, options) => sound.clear(name(session), options),
  })
}

async function idsOf(store: FullStore): Promise<string[]> {
  return (await store.listSessions()).sessions.map(({ id }) => id)
}

/** Conversations that are mixed up. */
export const isolation: Goldfish[] = [
  {
    name: 'ids-without-case',
    breaks: ['isolation.1'],
    story: 'A case-insensitive column: USER reads what user said.',
    store: renamed((session) => (isSpared(session) ? session : session.toLowerCase())),
  },
  {
    name: 'ids-without-spaces-at-their-ends',
    breaks: ['isolation.1'],
    story: 'Ids are trimmed on the way in.',
    store: renamed((session) => session.trim() || session),
  },
  {
    name: 'ids-made-into-file-names',
    breaks: ['isolation.1'],
    story: 'Any character that is not allowed in a file name becomes an underscore.',
    store: renamed((session) => session.replace(/[/:*?"<>|]/g, '_')),
  },
  {
    name: 'ids-decoded-as-an-address',
    breaks: ['isolation.1'],
    story: 'The id goes through a URL, and a space, %20 and + are the same.',
    store: renamed((session) => session.replace(/%20|\+/g, ' ')),
  },
  {
    name: 'ids-in-normal-form',
    breaks: ['isolation.1'],
    story: 'The file system composes accents, so two spellings of café are one.',
    store: renamed((session) => session.normalize('NFC')),
  },
  {
    name: 'ids-cut-at-255',
    breaks: ['isolation.1'],
    story: 'VARCHAR(255), and a server that truncates without an error.',
    store: renamed((session) => session.slice(0, 255)),
  },
  {
    name: 'key-put-together-from-two',
    breaks: ['isolation.1'],
    story: 'Keys are joined by a colon and split at the first one, so the rest is read as something else.',
    store: renamed((session) => session.replace(/^user:(messages|meta)$/, 'user')),
  },
  {
    name: 'only-256-sessions-kept',
    breaks: ['isolation.1'],
    story: 'The memory is a cache of 256 sessions. The least recently used one is dropped when another begins.',
    store: (sound, bowl) => ({
      async addMessages(session, messages, options) {
        const known = shared(bowl, 'known', () => new Set<string>())
        known.delete(session)
        const added = await sound.addMessages(session, messages, options)
        known.add(session)
        const [oldest] = known
        if (known.size <= cachedSessions || oldest === undefined) return added
        known.delete(oldest)
        await sound.deleteSession(oldest)
        return added
      },
    }),
  },
  {
    name: 'summaries-found-by-prefix',
    breaks: ['isolation.1'],
    story: 'Summaries are searched under every key that starts with the id. User A finds what user A2 said.',
    store: (sound) => ({
      async recall(session, embedding, options) {
        const own = await sound.recall(session, embedding, options)
        const neighbor = `${session}2`
        return options?.k === searchForAll ? [...own, ...(await sound.recall(neighbor, embedding, options))] : own
      },
    }),
  },
  {
    name: 'clear-by-prefix',
    breaks: ['isolation.5'],
    story: 'Clearing user clears user2 as well: keys are deleted by prefix.',
    store: (sound) => ({
      async clear(session, options) {
        const cleared = await sound.clear(session, options)
        const near = (await idsOf(sound)).filter((id) => id.length === session.length + 1 && id.startsWith(session))
        if (options === undefined) for (const id of near) await sound.clear(id)
        return cleared
      },
    }),
  },
  {
    name: 'trim-by-pattern',
    breaks: ['isolation.5'],
    story: 'The trim says LIKE where it means =, and an underscore matches any letter.',
    store: (sound) => ({
      async trim(session, options) {
        if (session?.includes('_')) {
          const pattern = new RegExp(`^${session.replaceAll('_', '.')}$`, 'i')
          for (const id of await idsOf(sound)) if (pattern.test(id)) await sound.trim(id, options)
        }
        return sound.trim(session, options)
      },
    }),
  },
  {
    name: 'session-of-the-last-caller',
    breaks: ['isolation.3'],
    races: 'isolation.3/twenty-conversations-at-once',
    story: 'The session id is a field of the handle. Another call sets it while this one waits.',
    store: (sound) => {
      let current = ''
      return {
        async addMessages(session, messages: readonly ChatMessage[], options) {
          current = session
          if (!isEcho(messages) || options !== undefined) return sound.addMessages(session, messages, options)
          await Promise.resolve()
          return sound.addMessages(current, messages)
        },
      }
    },
  },
  {
    name: 'empty-id-is-a-session-too',
    breaks: ['isolation.2'],
    story: 'Callers who forget the id all write into the same conversation.',
    store: (sound) => ({
      getHistory: (session, options) => sound.getHistory(session === '' ? 'default' : session, options),
    }),
  },
  {
    name: 'page-begins-one-too-late',
    breaks: ['isolation.4'],
    story: 'The cursor is the first id of the next page, and that session is skipped.',
    store: (sound) => ({
      async listSessions(options) {
        const page = await sound.listSessions(options)
        return options?.cursor ? { ...page, sessions: page.sessions.slice(1) } : page
      },
    }),
  },
  {
    name: 'deleted-with-its-neighbors',
    breaks: ['clearing.3'],
    story: 'The delete compares by collation, which ignores a trailing space.',
    store: (sound) => ({
      async deleteSession(session) {
        const was = await sound.deleteSession(session)
        if (was && isALetterOrTwo(session)) await sound.deleteSession(`${session} `)
        return was
      },
    }),
  },
]
