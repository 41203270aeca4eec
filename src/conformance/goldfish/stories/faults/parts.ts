import type { Backend } from '../../../../core/backend.ts'
import { MemoryLostError, MemoryStoreBackendError } from '../../../../core/errors.ts'
import type { Bowl, Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { codeOf } from '../../helpers/code-of.ts'

/** How many entries of each copy were staged, and the `stage` that counts them. */
function countingStaged(sound: Backend, bowl: Bowl) {
  const staged = shared(bowl, 'staged', () => new Map<string, number>())
  const stage: Backend['stage'] = async (session, copy, entries, deadline) => {
    await sound.stage(session, copy, entries, deadline)
    staged.set(copy, (staged.get(copy) ?? 0) + entries.length)
  }
  return { staged, stage }
}

/** Goes wrong if something comes in several parts, or if one part of it fails. */
export const parts: Goldfish[] = [
  {
    name: 'the-second-part-of-the-summaries',
    breaks: ['history.1'],
    story:
      'Summaries come in parts of 4 MB. Whoever reads them stops after the first, and the first compaction is not shown.',
    between: (backend) => ({
      async read(session, want, deadline) {
        const reading = await backend.read(session, want, deadline)
        return want.summariesAfter === undefined ? reading : { ...reading, more: false }
      },
    }),
  },
  {
    name: 'a-copy-of-what-is-left',
    breaks: ['forking.3'],
    story: 'A slice of a long fork is gone before the end. What is left is counted, found complete and published.',
    backend(sound, bowl) {
      const { staged, stage } = countingStaged(sound, bowl)
      return {
        stage,
        commit(session, change, deadline) {
          const { staged: given } = change
          if (given === undefined) return sound.commit(session, change, deadline)
          const count = staged.get(given.copy) ?? given.count
          return sound.commit(session, { ...change, staged: { ...given, count } }, deadline)
        },
      }
    },
  },
  {
    name: 'copies-count-while-they-are-written',
    breaks: ['sweeping.2'],
    story: 'Stats counts the slices of a copy that somebody may still be writing as if a sweep removed them.',
    backend(sound, bowl) {
      const { staged, stage } = countingStaged(sound, bowl)
      return {
        stage,
        async unstage(session, copy, deadline) {
          staged.delete(copy)
          return sound.unstage(session, copy, deadline)
        },
        async commit(session, change, deadline) {
          const committed = await sound.commit(session, change, deadline)
          if (change.staged !== undefined) staged.delete(change.staged.copy)
          return committed
        },
        async measure(session, ranges, deadline) {
          const usage = await sound.measure(session, ranges, deadline)
          const entries = session === null ? [...staged.values()].reduce((sum, count) => sum + count, 0) : 0
          return { ...usage, entries: usage.entries + entries }
        },
      }
    },
  },
  {
    name: 'one-lost-session-spares-the-others',
    breaks: ['loss.2'],
    story: 'A user asks that everything be cleared. One session of thousands is damaged, and so none is cleared.',
    store: (sound) => ({
      async clearAll() {
        const { damaged } = await sound.listSessions()
        if (damaged[0] !== undefined) throw new MemoryLostError(damaged[0], [1, 2], 'its state is missing')
        return sound.clearAll()
      },
    }),
  },
  {
    name: 'verify-counts-lost-entries-alone',
    breaks: ['loss.4'],
    story: 'Verify looks for lost entries. That the path of a snapshot is gone does not occur to it.',
    store: (sound) => ({
      async verify(session?: string, options = {}) {
        const verified = await sound.verify(session as string, options)
        const damage = verified.damage.filter(({ seqs }) => seqs.length > 0)
        return { ...verified, damage, ok: damage.length === 0 }
      },
    }),
  },
  {
    name: 'gives-up-and-does-not-know',
    breaks: ['deadlines.1'],
    story: 'A trim that never got to commit times out and says that it may have been applied.',
    store: (sound) => ({
      trim: (session, options) =>
        sound.trim(session, options).catch((error: unknown) => {
          if (codeOf(error) !== 'TIMEOUT') throw error
          throw new MemoryStoreBackendError('TIMEOUT', 'trim', { applied: 'unknown', retryable: true })
        }),
    }),
  },
  {
    name: 'a-rewind-fails-over-its-remains',
    breaks: ['rewinding.2'],
    story: 'The cut is done. What it kept for a moment cannot be removed, and the caller never gets what was cut.',
    between: (backend) => ({
      commit: (session, change, deadline) =>
        backend.commit(session, change, deadline).catch((error: unknown) => {
          if (change.ifSnapshot && change.dropSnapshots && !change.path)
            throw new Error('not removed', { cause: error })
          throw error
        }),
    }),
  },
  {
    name: 'erases-one-slice-of-many',
    breaks: ['ttl.7'],
    story: 'What expired is erased when the store is opened: the first thousand. The rest stays until somebody sweeps.',
    between: (backend) => ({
      async reclaim(scope, deadline) {
        const reclaimed = await backend.reclaim(scope, deadline)
        return scope === 'outdated' ? { ...reclaimed, done: true } : reclaimed
      },
    }),
  },
  {
    name: 'a-turn-that-nobody-wants',
    breaks: ['signals.2'],
    story: 'The user left while the turn was being taken. It is held for the whole lease, by nobody.',
    between(backend) {
      const used = new Set<string>()
      return {
        async commit(session, change, deadline) {
          if (change.ifTurn !== undefined) used.add(change.ifTurn)
          return backend.commit(session, change, deadline)
        },
        async endTurn(session, token, deadline) {
          if (used.has(token)) await backend.endTurn?.(session, token, deadline)
        },
      }
    },
  },
]
