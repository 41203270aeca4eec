import { isDeepStrictEqual } from 'node:util'
import type { Backend, Change } from '../../../../core/backend.ts'
import { pathTokenOf, versionOf } from '../../../../core/session-state.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { withItems } from '../../helpers/reshape.ts'

/** What `addMessages` adds when it is interrupted; batches of other sizes are sound. */
const interruptedTurns = 2
/** Turns read as of the first moment; the cases change what comes after them. */
const firstPart = 2

/** Commits something else if the session has changed since this handle read it. */
function whenMoved(
  sound: Backend,
  isMeant: (change: Change) => boolean,
  instead: (change: Change) => Change,
): Partial<Backend> {
  const seen = new Map<string, string>()
  return {
    async read(session, want, deadline) {
      const reading = await sound.read(session, want, deadline)
      if (reading.state !== null && want.ranges === undefined) seen.set(session, versionOf(reading.state))
      return reading
    },
    async commit(session, change, deadline) {
      if (!isMeant(change)) return sound.commit(session, change, deadline)
      const { state } = await sound.read(session, {}, deadline)
      const isMoved = state !== null && versionOf(state) !== seen.get(session)
      return sound.commit(session, isMoved ? instead(change) : change, deadline)
    },
  }
}

/** The path without what was appended meanwhile. */
function withoutWhatCame(change: Change): Change {
  const { path } = change
  if (path === undefined) return change
  return { ...change, path: { cause: path.cause, plan: path.plan.filter(([, to]) => to !== 'end') } }
}

/** Reads first, then writes. If somebody else wrote in between, the write is reported as done. */
function swallowsConflicts<Added>(
  sound: FullStore,
  session: string,
  add: (options: { ifVersion?: string | null }) => Promise<Added>,
  nothing: Added,
): Promise<Added> {
  return sound.sessionInfo(session).then(async (info) => {
    if (info === null) return add({})
    return add({ ifVersion: info.version }).catch((error: { code?: unknown }) => {
      if (error.code !== 'VERSION_CONFLICT') throw error
      return nothing
    })
  })
}

/** What two operations do to each other when one is between two of its steps. */
export const interleaving: Goldfish[] = [
  {
    name: 'add-that-lost-is-told-as-done',
    breaks: ['interleaving.1'],
    story:
      'It reads the state of the session, then adds if nothing changed. If something did, the write is silently dropped.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        options || messages.length !== interruptedTurns
          ? sound.addMessages(session, messages, options)
          : swallowsConflicts(sound, session, (more) => sound.addMessages(session, messages, more), {
              version: null,
              epoch: null,
              seqs: [1, 2],
            }),
    }),
  },
  {
    name: 'records-that-lost-are-told-as-done',
    breaks: ['interleaving.1'],
    story: 'A tool result or a summary is kept only if nobody has spoken meanwhile, and reported as kept either way.',
    store: (sound) => ({
      recordToolCall: (session, toolCall, options) =>
        options
          ? sound.recordToolCall(session, toolCall, options)
          : swallowsConflicts(sound, session, (more) => sound.recordToolCall(session, toolCall, more), {
              version: null,
              epoch: null,
              seq: 1,
            }),
      addEntries: (session, entries, options) =>
        options || entries.length !== interruptedTurns
          ? sound.addEntries(session, entries, options)
          : swallowsConflicts(sound, session, (more) => sound.addEntries(session, entries, more), {
              version: null,
              epoch: null,
              seqs: [1, 2],
            }),
      addSummary: (session, summary, options) =>
        options
          ? sound.addSummary(session, summary, options)
          : swallowsConflicts(sound, session, (more) => sound.addSummary(session, summary, more), {
              version: null,
              epoch: null,
              seq: 1,
            }),
    }),
  },
  {
    name: 'trim-drops-what-came-between-its-steps',
    breaks: ['interleaving.1'],
    story: 'Trim writes back the list it read, shortened. What was added since is not on that list.',
    backend: (sound) => whenMoved(sound, (change) => !!change.path && !change.append, withoutWhatCame),
  },
  {
    name: 'compaction-replaces-what-came-meanwhile',
    breaks: ['interleaving.1'],
    story: 'The summary replaces all turns that existed when it was written, not when it was requested.',
    backend: (sound) => whenMoved(sound, (change) => !!change.path && !!change.append, withoutWhatCame),
  },
  {
    name: 'rollback-leaves-what-came-meanwhile-nowhere',
    breaks: ['interleaving.1'],
    story: 'A rollback keeps the old state as of its start. What was said since is nowhere.',
    backend: (sound) =>
      whenMoved(
        sound,
        (change) => change.putSnapshot?.automatic === true && change.ifSnapshot !== undefined,
        ({ putSnapshot, ...change }) => change,
      ),
  },
  {
    name: 'sweep-ignores-the-epoch',
    breaks: ['interleaving.1'],
    story:
      'Unread entries are listed, then removed. The session was deleted and recreated in between, and the new one loses those turns.',
    backend: (sound) => ({
      async drop(session, drop, deadline) {
        const { state } = await sound.read(session, {}, deadline)
        if (state === null) return null
        return sound.drop(session, { ...drop, ifPath: pathTokenOf(state), epochs: [] }, deadline)
      },
    }),
  },
  {
    name: 'snapshot-of-what-was-there-before',
    breaks: ['interleaving.1'],
    story:
      'The snapshot gets its id when the session is read, and is saved if nothing changed since. If something did, it does not exist.',
    store: (sound) => ({
      async saveSnapshot(session, options = {}) {
        const { ifVersion, operationId, id = crypto.randomUUID(), label = null } = options
        const isPlain = ifVersion === undefined && operationId === undefined && options.ifEpoch === undefined
        const none = { id, label, automatic: false, at: 0, version: null, epoch: null }
        if (!isPlain) return sound.saveSnapshot(session, options)
        return swallowsConflicts(
          sound,
          session,
          (more) => sound.saveSnapshot(session, { ...options, id, ...more }),
          none,
        )
      },
    }),
  },
  {
    name: 'expire-brings-back-what-was-deleted',
    breaks: ['interleaving.1'],
    story:
      'It checks that the session exists, then sets its expiry or title. The session was deleted in between, and is back, empty.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { ifPath, ...blind } = change
        return sound.commit(session, change.expire || change.describe ? blind : change, deadline)
      },
    }),
  },
  {
    name: 'deletion-cleans-up-after-itself',
    breaks: ['interleaving.1'],
    story:
      'The session is removed first, then its turns, by name. By then, someone has created another session with that name.',
    backend(sound) {
      const erased = new Set<string>()
      return {
        erase(session, operation, deadline) {
          erased.add(session)
          return sound.erase(session, operation, deadline)
        },
        async reclaim(scope, deadline) {
          for (const session of erased) {
            const { state } = await sound.read(session, {}, deadline)
            const all = { ranges: [[1, state?.end ?? 0] as const], epochs: [], limit: 1e6 }
            if (state !== null) await sound.drop(session, { ...all, ifPath: pathTokenOf(state) }, deadline)
          }
          erased.clear()
          return sound.reclaim(scope, deadline)
        },
      }
    },
  },
  {
    name: 'fork-of-two-moments',
    breaks: ['interleaving.1'],
    story: 'The fork copies the turns it listed, then those that are there now, so it contains a turn that was cut.',
    store: (sound) => ({
      async fork(session, target, options) {
        if (options !== undefined) return sound.fork(session, target, options)
        const listed = await sound.getHistory(session)
        const forked = await sound.fork(session, target)
        const copied = new Set((await sound.getHistory(target)).map(({ content }) => JSON.stringify(content)))
        const missing = listed.filter(({ content }) => !copied.has(JSON.stringify(content)))
        if (missing.length > 0 && copied.size > 0) await sound.addMessages(target, missing)
        return forked
      },
    }),
  },
  {
    name: 'export-puts-two-moments-together',
    breaks: ['interleaving.1'],
    story: 'The entries are copied first, the paths and snapshots later. They do not match.',
    store: (sound) => ({
      async exportSession(session) {
        const { entries } = await sound.exportSession(session)
        return { ...(await sound.exportSession(session)), entries }
      },
    }),
  },
  {
    name: 'history-of-two-moments',
    breaks: ['interleaving.2'],
    story: 'A long history is fetched in two halves, at two different moments.',
    store: (sound) => ({
      async getHistory(session, options) {
        const first = await sound.getHistory(session, options)
        const second = await sound.getHistory(session, options)
        if (isDeepStrictEqual([...first], [...second])) return second
        return withItems(second, [...first.slice(0, firstPart), ...second.slice(firstPart)])
      },
    }),
  },
  {
    name: 'entries-of-two-moments',
    breaks: ['interleaving.2'],
    story: 'Entries are fetched page by page. A rollback between two pages puts two different pasts into one list.',
    store: (sound) => ({
      async getEntries(session, options) {
        const first = await sound.getEntries(session, options)
        const second = await sound.getEntries(session, options)
        if (isDeepStrictEqual([...first], [...second])) return second
        return Object.assign(second, [...first.slice(0, firstPart), ...second.slice(firstPart)])
      },
    }),
  },
  {
    name: 'verify-cries-wolf',
    breaks: ['interleaving.2'],
    story: 'Entries that were cut while the check ran are reported as lost.',
    store: (sound) => ({
      async verify(session, options) {
        if (session === undefined) return sound.verify(session, options)
        const before = await sound.getEntries(session)
        const verified = await sound.verify(session, options)
        const now = new Set((await sound.getEntries(session)).map(({ seq }) => seq))
        const seqs = before.map(({ seq }) => seq).filter((seq) => !now.has(seq))
        return seqs.length === 0 ? verified : { ...verified, ok: false, damage: [{ session, seqs, reason: 'missing' }] }
      },
    }),
  },
]
