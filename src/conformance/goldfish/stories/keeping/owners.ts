import type { Backend, ListedSession, SessionAbout } from '../../../../core/backend.ts'
import { closePath } from '../../../../core/path.ts'
import type { SessionInfo } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'

const nothing: SessionAbout = { owner: null, title: null, metadata: null }
const codeOf = (error: unknown) => (error as { code?: unknown }).code
const detailsOf = ({ owner, title, metadata }: SessionInfo) => ({ owner, title, metadata })

/** An owner's list made of all sessions that `isListed`, in the order of `compare`. */
function listing(
  sound: Backend,
  isListed: (session: ListedSession, owner: string) => boolean,
  compare: (a: ListedSession, b: ListedSession) => number = newestFirst,
): Pick<Backend, 'sessionsOf'> {
  return {
    async sessionsOf(owner, cursor, limit, deadline) {
      const all = await sound.sessions(null, 10_000, deadline)
      const listed = all.sessions.filter((session) => isListed(session, owner)).sort(compare)
      const from = cursor === null ? 0 : listed.findIndex(({ id }) => id === JSON.parse(cursor)[1]) + 1
      const last = listed[from + limit - 1]
      const isMore = listed.length > from + limit
      return { sessions: listed.slice(from, from + limit), cursor: isMore ? cursorOf(last) : null }
    },
  }
}

const cursorOf = (last: ListedSession | undefined) => JSON.stringify([last?.state?.updatedAt, last?.id])
const newestFirst = (a: ListedSession, b: ListedSession) => (b.state?.updatedAt ?? 0) - (a.state?.updatedAt ?? 0)

/** Whose session it is, and what describes it. */
export const owners: Goldfish[] = [
  {
    name: 'last-writer-owns-it',
    breaks: ['owners.1'],
    story: 'An upsert sets the owner with every write. A support agent answers, and the chat is in their sidebar.',
    backend: (sound) => ({
      commit: (session, change, deadline) =>
        sound.commit(session, change.begin ? { ...change, describe: change.begin } : change, deadline),
    }),
  },
  {
    name: 'only-messages-have-an-owner',
    breaks: ['owners.1'],
    story: 'A session that begins with a snapshot has no owner: that code path was forgotten.',
    backend: (sound) => ({
      commit(session, { begin, ...change }, deadline) {
        return sound.commit(session, begin && !change.putSnapshot ? { ...change, begin } : change, deadline)
      },
    }),
  },
  {
    name: 'owner-of-the-session-before',
    breaks: ['owners.1'],
    story: 'The owner is kept in another table that a deletion does not clear. Somebody else reuses the id.',
    backend: (sound, bowl) => ({
      async erase(session, erasure, deadline) {
        const { about } = await sound.read(session, { about: true }, deadline)
        if (about?.owner) shared(bowl, 'owners', () => new Map<string, string>()).set(session, about.owner)
        return sound.erase(session, erasure, deadline)
      },
      commit(session, change, deadline) {
        const owner = shared(bowl, 'owners', () => new Map<string, string>()).get(session)
        const begin = change.begin && owner !== undefined ? { begin: { ...change.begin, owner } } : {}
        return sound.commit(session, { ...change, ...begin }, deadline)
      },
    }),
  },
  {
    name: 'describe-wipes-the-rest',
    breaks: ['owners.2'],
    story: "A new title is saved as the whole description. The chat is in nobody's sidebar anymore.",
    backend: (sound) => ({
      commit: (session, change, deadline) =>
        sound.commit(
          session,
          change.describe ? { ...change, describe: { ...nothing, ...change.describe } } : change,
          deadline,
        ),
    }),
  },
  {
    name: 'null-leaves-it',
    breaks: ['owners.2'],
    story: 'COALESCE keeps the old value when given null. A title can be changed, but never removed.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const given = Object.entries(change.describe ?? {}).filter(([, part]) => part !== null)
        return sound.commit(
          session,
          change.describe ? { ...change, describe: Object.fromEntries(given) } : change,
          deadline,
        )
      },
    }),
  },
  {
    name: 'new-title-new-epoch',
    breaks: ['owners.2'],
    story:
      'A background job sets a title, and that counts as taking something back. The answer in progress is rejected.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { state } = await sound.read(session, {}, deadline)
        if (!change.describe || state === null) return sound.commit(session, change, deadline)
        const plan = [...closePath(state.path, state.end), ['next', null] as const]
        return sound.commit(session, { ...change, path: { plan, cause: 'rewind' } }, deadline)
      },
    }),
  },
  {
    name: 'title-without-a-version',
    breaks: ['owners.2', 'versions.1'],
    story: 'The title is saved in a separate row, and the version does not change. Two editors overwrite each other.',
    store: (sound) => ({
      async describe(session, options) {
        const before = await sound.sessionInfo(session)
        const written = await sound.describe(session, options)
        return options.operationId === undefined && before ? { ...written, version: before.version } : written
      },
    }),
  },
  {
    name: 'describe-begins-a-session',
    breaks: ['owners.2'],
    story: 'Naming a chat that was deleted in another tab brings it back, empty.',
    store: (sound) => ({
      async describe(session, options) {
        try {
          return await sound.describe(session, options)
        } catch (error) {
          if (codeOf(error) !== 'SESSION_NOT_FOUND') throw error
          return sound.saveSnapshot(session, { title: options.title })
        }
      },
    }),
  },
  {
    name: 'rollback-brings-the-old-title-back',
    breaks: ['owners.3'],
    story: 'The description is saved with each snapshot. A rollback gives the chat back to its former owner.',
    store: (sound, bowl) => {
      const saved = shared(bowl, 'saved', () => new Map<string, ReturnType<typeof detailsOf>>())
      return {
        async saveSnapshot(session, options) {
          const snapshot = await sound.saveSnapshot(session, options)
          const info = await sound.sessionInfo(session)
          if (info?.owner) saved.set(`${session} ${snapshot.id}`, detailsOf(info))
          return snapshot
        },
        async rollbackToSnapshot(session, id, options) {
          const rolledBack = await sound.rollbackToSnapshot(session, id, options)
          const details = saved.get(`${session} ${id}`)
          return details ? { ...rolledBack, ...(await sound.describe(session, details)) } : rolledBack
        },
      }
    },
  },
  {
    name: 'clear-removes-the-owner',
    breaks: ['owners.3'],
    story: 'Clearing a chat resets its whole row. It is empty, and has no owner.',
    backend: (sound) => ({
      commit: (session, change, deadline) =>
        sound.commit(session, change.path?.cause === 'clear' ? { ...change, describe: nothing } : change, deadline),
    }),
  },
  {
    name: 'fork-is-nobodys',
    breaks: ['owners.3'],
    story: 'Branching a chat copies its turns but not its owner. Nobody can find the branch again.',
    backend: (sound) => ({
      commit(session, { begin, ...change }, deadline) {
        return sound.commit(session, begin && change.ifVersion !== null ? { ...change, begin } : change, deadline)
      },
    }),
  },
  {
    name: 'long-fork-is-nobodys',
    breaks: ['owners.3'],
    story: 'Long forks take another code path, which loses the description.',
    backend: (sound) => ({
      commit(session, { begin, ...change }, deadline) {
        return sound.commit(session, begin && !change.staged ? { ...change, begin } : change, deadline)
      },
    }),
  },
  {
    name: 'export-without-its-owner',
    breaks: ['owners.3', 'transfer.1'],
    story: 'The export predates owners. After the move every sidebar is empty.',
    store: (sound) => ({
      exportSession: async (session) => ({ ...(await sound.exportSession(session)), about: nothing }),
    }),
  },
  {
    name: 'list-of-everybody',
    breaks: ['owners.4'],
    story: "The filter was lost in a refactoring. Everyone sees everyone's titles.",
    backend: (sound) => listing(sound, () => true),
  },
  {
    name: 'owners-without-case',
    breaks: ['owners.4', 'owners.5'],
    story: "The column ignores case. User and USER see each other's chats.",
    backend: (sound) => listing(sound, ({ about }, owner) => about?.owner?.toLowerCase() === owner.toLowerCase()),
  },
  {
    name: 'list-in-the-order-begun',
    breaks: ['owners.4'],
    story: 'The list is sorted by creation. The chat that was just used is on page three.',
    backend: (sound) =>
      listing(
        sound,
        ({ about }, owner) => about?.owner === owner,
        (a, b) => (b.state?.createdAt ?? 0) - (a.state?.createdAt ?? 0),
      ),
  },
  {
    name: 'list-knows-the-first-owner',
    breaks: ['owners.4'],
    story:
      'The index is written when a session begins. A chat that was handed over is still listed under its first owner.',
    backend: (sound, bowl) => {
      const first = shared(bowl, 'first', () => new Map<string, string | null>())
      return {
        async commit(session, change, deadline) {
          const { state } = await sound.read(session, {}, deadline)
          const committed = await sound.commit(session, change, deadline)
          const { about } = await sound.read(session, { about: true }, deadline)
          const isKnown = state !== null && first.get(session) !== null && first.has(session)
          if (about && !isKnown) first.set(session, about.owner)
          return committed
        },
        ...listing(sound, ({ id }, owner) => first.get(id) === owner),
      }
    },
  },
  {
    name: 'page-drops-its-last',
    breaks: ['owners.4'],
    story: 'The page reads one extra row to see whether there is a next page, and that row is on neither.',
    backend: (sound) => ({
      async sessionsOf(owner, cursor, limit, deadline) {
        const page = await sound.sessionsOf?.(owner, cursor, limit + 1, deadline)
        const sessions = page?.sessions ?? []
        return { sessions: sessions.slice(0, limit), cursor: page?.cursor ?? null }
      },
    }),
  },
  {
    name: 'pages-by-offset',
    breaks: ['owners.4'],
    story: 'The cursor is an offset. One chat moves to the front, and the last one of each page appears twice.',
    backend: (sound) => ({
      async sessionsOf(owner, cursor, limit, deadline) {
        const from = cursor === null ? 0 : Number(cursor)
        const whole = (await sound.sessionsOf?.(owner, Number.isInteger(from) ? null : cursor, 10_000, deadline)) ?? {
          sessions: [],
        }
        const next = from + limit
        return {
          sessions: whole.sessions.slice(from, next),
          cursor: whole.sessions.length > next ? `${next}` : null,
        }
      },
    }),
  },
  {
    name: 'forgets-one-page-of-a-person',
    breaks: ['owners.5'],
    story: 'A request to be forgotten deletes the first hundred chats. Anyone with more is not forgotten.',
    store: (sound) => ({
      async deleteSessions({ owner }) {
        const { sessions } = await sound.listSessions({ owner, limit: 100 })
        for (const { id } of sessions) await sound.deleteSession(id)
        return sessions.length
      },
    }),
  },
  {
    name: 'forgets-everyone-with-that-prefix',
    breaks: ['owners.5'],
    story: 'The deletion is a LIKE with a percent sign. Ann asks to be forgotten, and so is Anna.',
    store: (sound) => ({
      async deleteSessions({ owner }) {
        let count = 0
        for (const info of (await sound.listSessions()).sessions) {
          if (info.owner?.startsWith(owner) && (await sound.deleteSession(info.id))) count += 1
        }
        await sound.sweep()
        return count
      },
    }),
  },
  {
    name: 'expired-chats-of-the-forgotten',
    breaks: ['owners.5'],
    story: 'The person is forgotten, except for expired chats that wait for the sweep.',
    store: (sound) => ({
      async deleteSessions({ owner }) {
        let count = 0
        for (;;) {
          const { sessions } = await sound.listSessions({ owner })
          if (sessions.length === 0) return count
          for (const { id } of sessions) if (await sound.deleteSession(id)) count += 1
        }
      },
    }),
  },
  {
    name: 'forgetting-is-not-taken-up',
    breaks: ['owners.5'],
    story: 'The request is marked as done before it runs. It crashed, and the retry finds nothing to do.',
    store: (sound, bowl) => ({
      async deleteSessions(options) {
        const requested = shared(bowl, 'requested', () => new Set<string>())
        const { sessions } = await sound.listSessions(options)
        if (requested.has(options.owner) && sessions.length > 0) return 0
        requested.add(options.owner)
        return sound.deleteSessions(options)
      },
    }),
  },
  {
    name: 'forgets-what-was-given-away',
    breaks: ['owners.5'],
    story: 'The list of chats to delete is made first. One was handed over meanwhile, and is deleted too.',
    backend: (sound) => ({
      erase: (session, { operation }, deadline) => sound.erase(session, { operation }, deadline),
    }),
  },
  {
    name: 'metadata-in-another-order',
    breaks: ['owners.6'],
    story: 'The column is jsonb, which sorts the keys. Whatever was cached by its text is not found.',
    store: (sound) => ({
      async sessionInfo(session) {
        const info = await sound.sessionInfo(session)
        if (info === null || info.metadata === null) return info
        const keys = Object.keys(info.metadata).sort((a, b) => (a < b ? -1 : 1))
        return { ...info, metadata: Object.fromEntries(keys.map((key) => [key, info.metadata?.[key]])) }
      },
    }),
  },
  {
    name: 'metadata-takes-anything',
    breaks: ['owners.6'],
    story: 'Metadata goes through JSON.stringify as it is. A date comes back as text, and NaN as null.',
    store: (sound) => ({
      async describe(session, options) {
        const { metadata } = options
        const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
        if (!isObject) return sound.describe(session, options)
        return sound.describe(session, { ...options, metadata: JSON.parse(JSON.stringify(metadata)) })
      },
    }),
  },
  {
    name: 'title-in-a-short-column',
    breaks: ['owners.6'],
    story: 'The column has 255 characters. Longer titles are silently cut.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const title = change.describe?.title
        const describe = title ? { describe: { ...change.describe, title: title.slice(0, 255) } } : {}
        return sound.commit(session, { ...change, ...describe }, deadline)
      },
    }),
  },
]
