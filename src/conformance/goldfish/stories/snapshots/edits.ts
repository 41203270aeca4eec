import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'

/** A goldfish whose rewinds are wrong where they are not repeated. */
function rewinding(
  ill: (
    sound: FullStore,
    session: string,
    options: Parameters<FullStore['rewind']>[1],
  ) => ReturnType<FullStore['rewind']>,
): NonNullable<Goldfish['store']> {
  return (sound) => ({
    rewind: (session, options) =>
      options.operationId === undefined ? ill(sound, session, options) : sound.rewind(session, options),
  })
}

/** Edits, branches and what is known about them. */
export const edits: Goldfish[] = [
  {
    name: 'edit-cuts-after-the-number-before',
    breaks: ['rewinding.3'],
    story:
      'Editing message 9 rewinds to 8. The first edit works; after it, 8 is on another branch, and the second edit fails.',
    store: rewinding((sound, session, options) => {
      const { before, ...rest } = options
      return before === undefined || options.add !== undefined
        ? sound.rewind(session, options)
        : sound.rewind(session, { ...rest, to: before - 1 })
    }),
  },
  {
    name: 'edit-keeps-what-it-edits',
    breaks: ['rewinding.3'],
    story: '`before` is treated as `to`, so the message and its edit are both there.',
    store: rewinding((sound, session, options) => {
      const { before, ...rest } = options
      return before === undefined ? sound.rewind(session, options) : sound.rewind(session, { ...rest, to: before })
    }),
  },
  {
    name: 'unknown-seq-without-a-hint',
    breaks: ['rewinding.3'],
    story: 'The error says only that there is no such seq. The user has to find out which ones exist.',
    store: rewinding(async (sound, session, options) => {
      try {
        return await sound.rewind(session, options)
      } catch (error) {
        if (codeOf(error) !== 'SEQ_NOT_FOUND') throw error
        throw Object.assign(new Error('no such seq'), { code: 'SEQ_NOT_FOUND', seq: options.to ?? options.before })
      }
    }),
  },
  {
    name: 'replaced-in-two-steps',
    breaks: ['rewinding.4'],
    story: 'The old answer is cut first, then the new one is added. A reader in between sees no answer at all.',
    races: 'rewinding.4/replaced-at-once',
    store: rewinding(async (sound, session, options) => {
      const { add = [], ...rest } = options
      if (add.length === 0) return sound.rewind(session, options)
      const cut = await sound.rewind(session, rest)
      const { seqs, version, epoch } = await sound.addMessages(session, add)
      return { ...cut, seqs, version, epoch }
    }),
  },
  {
    name: 'edit-begins-nothing',
    breaks: ['rewinding.4'],
    story: 'There is no session to cut, so the call does nothing, and the first message is lost.',
    store: rewinding(async (sound, session, options) => {
      if (options.to !== 0 || (await sound.sessionInfo(session)) !== null) return sound.rewind(session, options)
      return { version: null, epoch: null, removed: [], seqs: [], snapshot: null }
    }),
  },
  {
    name: 'sixth-branch-lacks-a-turn',
    breaks: ['rewinding.4'],
    story: 'A long path is stored as a diff from the previous one and rebuilt with one range missing.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { path } = change
        if (path?.base === undefined || path.cause !== 'rewind') return sound.commit(session, change, deadline)
        const plan = path.plan.filter((_, index) => index !== 1)
        return sound.commit(session, { ...change, path: { cause: path.cause, plan } }, deadline)
      },
    }),
  },
  {
    name: 'left-branch-is-saved-without-its-end',
    breaks: ['rewinding.5'],
    story: 'The snapshot of the old branch is taken after the cut, so it has only what both branches share.',
    store: rewinding(async (sound, session, options) => {
      const { snapshot = false, add, ...rest } = options
      if (snapshot === false) return sound.rewind(session, options)
      const cut = await sound.rewind(session, rest)
      const saved = await sound.saveSnapshot(session, snapshot === true ? {} : snapshot)
      if (add === undefined) return { ...cut, snapshot: saved }
      return { ...cut, ...(await sound.addMessages(session, add)), snapshot: saved }
    }),
  },
  {
    name: 'left-branches-are-kept-for-a-while',
    breaks: ['rewinding.5'],
    story: 'The old branch is kept as an automatic snapshot, and one afternoon of rollbacks pushes it out.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { putSnapshot, path } = change
        if (putSnapshot === undefined || path?.cause !== 'rewind') return sound.commit(session, change, deadline)
        return sound.commit(session, { ...change, putSnapshot: { ...putSnapshot, automatic: true } }, deadline)
      },
    }),
  },
  {
    name: 'edit-sent-twice-answers-twice',
    breaks: ['operations.1'],
    story: 'The retry knows that the cut was done, but adds the replacement again.',
    store: (sound, { shared }) => ({
      async rewind(session, options) {
        const key = `${session} ${options.operationId}`
        const rewound = await sound.rewind(session, options)
        if (options.operationId === undefined || options.add === undefined) return rewound
        if (!shared.has(key)) shared.set(key, true)
        else await sound.addMessages(session, options.add)
        return rewound
      },
    }),
  },
  {
    name: 'fork-of-nothing-is-an-empty-session',
    breaks: ['forking.4'],
    story: 'A fork of a mistyped name succeeds. The agent starts with no memory, and nobody notices.',
    store: (sound) => ({
      async fork(session, target, options) {
        try {
          return await sound.fork(session, target, options)
        } catch (error) {
          if (codeOf(error) !== 'SESSION_NOT_FOUND') throw error
          const { version, epoch } = await sound.saveSnapshot(target)
          return { version, epoch, entries: 0 }
        }
      },
    }),
  },
  {
    name: 'fork-takes-the-end-along',
    breaks: ['forking.5'],
    story: '"Branch from here" copies the whole conversation, and the branch knows what comes later.',
    store: (sound) => ({
      async fork(session, target, options) {
        const { to, ...rest } = options ?? {}
        if (to === undefined) return sound.fork(session, target, options)
        const known = await sound.getEntries(session, { at: rest.at })
        return sound.fork(session, target, known.some(({ seq }) => seq === to) ? rest : options)
      },
    }),
  },
  {
    name: 'fork-finds-its-end-too-early',
    breaks: ['interleaving.1'],
    story:
      'The fork counts the entries to copy, then copies that many. The front was trimmed in between, so it copies the wrong ones.',
    store: (sound) => ({
      async fork(session, target, options) {
        const { to, ...rest } = options ?? {}
        const isPlain = to !== undefined && Object.keys(rest).length === 0
        const known = isPlain ? await sound.getEntries(session) : []
        const index = known.findIndex(({ seq }) => seq === to)
        if (index === -1) return sound.fork(session, target, options)
        const { entries } = await sound.fork(session, target)
        const { version, epoch } = await sound.rewind(target, { to: Math.min(index + 1, entries) })
        return { version, epoch, entries: Math.min(index + 1, entries) }
      },
    }),
  },
  {
    name: 'fork-covers-what-it-does-not-have',
    breaks: ['forking.6'],
    story: 'The entries are renumbered, but the summaries still name the old numbers.',
    store: (sound, { shared }) => ({
      async fork(session, target, options) {
        const forked = await sound.fork(session, target, options)
        if (options === undefined) shared.set(target, await sound.getEntries(session, { kinds: ['summary'] }))
        return forked
      },
      async getEntries(session, options) {
        const entries = await sound.getEntries(session, options)
        const old = shared.get(session) as typeof entries | undefined
        const isAsked = old !== undefined && options?.kinds?.length === 1 && options.kinds[0] === 'summary'
        if (!isAsked) return entries
        for (const [index, entry] of entries.entries()) {
          const source = old[index]
          const covers = source?.kind === 'summary' ? source.summary.covers : undefined
          if (entry.kind === 'summary' && covers !== undefined) entry.summary = { ...entry.summary, covers }
        }
        return entries
      },
    }),
  },
  {
    name: 'deletes-whatever-is-there-by-now',
    breaks: ['versions.8'],
    story: 'The user confirms deleting an empty draft. Meanwhile, somebody has written it.',
    store: (sound) => ({ deleteSession: (session) => sound.deleteSession(session) }),
  },
  {
    name: 'forks-whatever-is-there-by-now',
    breaks: ['versions.8'],
    story: 'The version is checked on the target, which has none.',
    store: (sound) => ({
      fork(session, target, options) {
        const { ifVersion, ...rest } = options ?? {}
        return sound.fork(session, target, ifVersion === undefined ? options : rest)
      },
    }),
  },
  {
    name: 'inspector-knows-no-causes',
    breaks: ['paths.1'],
    story: 'Every epoch is drawn as a rollback. Nobody can tell who cut what.',
    store: (sound) => ({
      async paths(session) {
        const found = await sound.paths(session)
        return found && { ...found, epochs: found.epochs.map((epoch) => ({ ...epoch, cause: 'rollback' as const })) }
      },
    }),
  },
  {
    name: 'inspector-draws-the-present-alone',
    breaks: ['paths.1'],
    story: 'Snapshots are drawn on the present path, and show turns that they never had.',
    store: (sound) => ({
      async paths(session) {
        const found = await sound.paths(session)
        const present = found?.epochs.find((epoch) => epoch.present)
        if (!found || !present) return found
        return { ...found, epochs: found.epochs.map((epoch) => ({ ...epoch, ranges: present.ranges })) }
      },
    }),
  },
  {
    name: 'looking-at-paths-begins-a-session',
    breaks: ['paths.1'],
    story: 'The inspector opens a link to a deleted session, and the session is back, empty.',
    store: (sound) => ({
      async paths(session) {
        const found = await sound.paths(session)
        if (found !== null) return found
        await sound.saveSnapshot(session)
        return sound.paths(session)
      },
    }),
  },
]
