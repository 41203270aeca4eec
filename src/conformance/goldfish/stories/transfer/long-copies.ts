import { setTimeout as pause } from 'node:timers/promises'
import type { SessionCopy } from '../../../../core/backend.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { overwriting } from '../../helpers/overwriting.ts'

const page = 1000
/** Milliseconds, long enough for a case to look at what is under way, or to kill the process. */
const longEnough = 300

/** Writes in pages, straight into the session, what should appear at once. */
const forkInPlainSight: NonNullable<Goldfish['store']> = (sound) => ({
  async fork(session, target, options) {
    const source = await sound.getHistory(session, { at: options?.at })
    const isFree = (await sound.sessionInfo(target)) === null
    if (source.length <= page || !isFree || options?.operationId !== undefined) {
      return sound.fork(session, target, options)
    }
    let { version, epoch } = await sound.addMessages(target, source.slice(0, page), { ifVersion: null })
    for (let from = page; from < source.length; from += page) {
      await pause(longEnough)
      ;({ version, epoch } = await sound.addMessages(target, source.slice(from, from + page)))
    }
    return { version, epoch, entries: source.length }
  },
})

/** The beginning of a copy, as a session of its own. */
function beginningOf(copy: SessionCopy): SessionCopy {
  return {
    ...copy,
    head: { ...copy.head, end: page, epoch: 1, takenBack: 1 },
    epochs: [{ number: 1, path: [[1, null]], cause: null, at: null }],
    snapshots: [],
    entries: copy.entries.slice(0, page),
  }
}

const importInPlainSight: NonNullable<Goldfish['store']> = (sound) => ({
  async importSession(copy, options) {
    const isWritable = Array.isArray(copy.entries) && copy.entries.length > page
    if (isWritable && (await sound.sessionInfo(copy.id)) === null) {
      const began = performance.now()
      await sound.importSession(beginningOf(copy))
      await pause(Math.max(6 * longEnough, 10 * (performance.now() - began)))
      await sound.deleteSession(copy.id)
    }
    return sound.importSession(copy, options)
  },
})

export const longCopies: Goldfish[] = [
  {
    name: 'long-fork-grows-in-plain-sight',
    breaks: ['forking.3'],
    story:
      'A long fork is written page by page, straight into its session. Anyone who replies meanwhile sees half a conversation.',
    store: forkInPlainSight,
  },
  {
    name: 'long-fork-is-listed-too-soon',
    breaks: ['forking.3'],
    story:
      'The name is taken first and the content follows. The sidebar shows a conversation that is empty when opened.',
    store: (sound, bowl) => {
      const underWay = shared(bowl, 'under way', () => new Set<string>())
      return {
        async fork(session, target, options) {
          const isFree = (await sound.sessionInfo(target)) === null
          if (isFree) underWay.add(target)
          try {
            if (isFree) await pause(longEnough)
            return await sound.fork(session, target, options)
          } finally {
            underWay.delete(target)
          }
        },
        async listSessions(options) {
          const listed = await sound.listSessions(options)
          const [any] = listed.sessions
          const early = [...underWay].filter((id) => listed.sessions.every((one) => one.id !== id))
          return { ...listed, sessions: [...listed.sessions, ...(any ? early.map((id) => ({ ...any, id })) : [])] }
        },
      }
    },
  },
  {
    name: 'long-fork-under-way-is-damage',
    breaks: ['forking.3'],
    story: 'verify reports the entries of a fork in progress as damage. The night shift restores a backup.',
    store: (sound, bowl) => {
      const underWay = shared(bowl, 'under way', () => new Set<string>())
      return {
        async fork(session, target, options) {
          underWay.add(target)
          try {
            await pause(longEnough)
            return await sound.fork(session, target, options)
          } finally {
            underWay.delete(target)
          }
        },
        async verify(session, options) {
          const isBusy = underWay.size > 0
          const verified = await sound.verify(session, options)
          if (!isBusy) return verified
          return { ...verified, ok: false, damage: [{ session: null, seqs: [], reason: 'entries of nobody' }] }
        },
      }
    },
  },
  {
    name: 'long-fork-looks-then-leaps',
    breaks: ['forking.3'],
    story:
      'Two long forks into one name are in progress. The one that ends last removes the other, and both report success.',
    races: 'forking.3/one-of-two-forks',
    store: (sound, bowl) => {
      const looks = shared(bowl, 'looks', () => new Map<string, Promise<boolean>>())
      const isFree = async (target: string) => (await sound.sessionInfo(target)) === null
      return {
        async fork(session, target, options) {
          const look = looks.get(target) ?? isFree(target).finally(() => looks.delete(target))
          looks.set(target, look)
          const wasFree = await look
          const { length } = await sound.getHistory(session)
          return overwriting(sound, target, wasFree && length > page, () => sound.fork(session, target, options))
        },
      }
    },
  },
  {
    name: 'long-fork-forgets-its-operation',
    breaks: ['forking.3'],
    story:
      'The commit that publishes a long fork carries no operation id, and the retry finds that the session exists.',
    store: (sound) => ({
      async fork(session, target, { operationId, ...options } = {}) {
        const { length } = await sound.getHistory(session)
        return sound.fork(session, target, { ...options, ...(length <= page && { operationId }) })
      },
    }),
  },
  {
    name: 'long-import-grows-in-plain-sight',
    breaks: ['transfer.6'],
    story: 'The first page of a long import is visible before the last one is written, as a half-empty history.',
    store: importInPlainSight,
  },
  {
    name: 'long-import-looks-then-leaps',
    breaks: ['transfer.6'],
    story:
      'Two imports of one session are in progress. The one that ends last removes the other, and both report success.',
    races: 'transfer.6/one-of-two-imports',
    store: (sound) => ({
      async importSession(copy, options) {
        const isFree = copy.entries?.length > page && (await sound.sessionInfo(copy.id)) === null
        return overwriting(sound, copy.id, isFree, () => sound.importSession(copy, options))
      },
    }),
  },
  {
    name: 'long-import-checks-as-it-writes',
    breaks: ['transfer.6'],
    story:
      'Pages are checked and written one by one. The last one is damaged, the import is rejected, and the others stay.',
    store: (sound) => ({
      async importSession(copy, options) {
        try {
          return await sound.importSession(copy, options)
        } catch (error) {
          const isLate = codeOf(error) === 'INVALID_ENTRY' && copy.entries?.length > page
          if (isLate) await sound.importSession(beginningOf(copy))
          throw error
        }
      },
    }),
  },
  {
    name: 'long-fork-dies-half-way',
    breaks: ['processes.7', 'forking.3'],
    races: 'processes.7/killed-within-a-fork',
    on: 'sqlite',
    story:
      'A long fork is written in pages. The process dies at the third one, and a partial copy holds the name forever.',
    store: forkInPlainSight,
  },
  {
    name: 'long-import-dies-half-way',
    breaks: ['processes.7', 'transfer.6'],
    races: 'processes.7/killed-within-an-import',
    on: 'sqlite',
    story: 'A long import is written in pages. The process dies at the third one, and every later import is rejected.',
    store: importInPlainSight,
  },
]
