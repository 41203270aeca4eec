import type { Goldfish } from '../../goldfish.ts'
import { overwriting } from '../../helpers/overwriting.ts'

export const forks: Goldfish[] = [
  {
    name: 'fork-reads-its-sibling',
    breaks: ['forking.1'],
    story: 'Parent and child still share the log after the fork. What is said in one shows up in the other.',
    store: (sound, { shared }) => ({
      async fork(session, target, options) {
        const forked = await sound.fork(session, target, options)
        if (options?.at === undefined && options?.operationId === undefined) shared.set(session, target)
        return forked
      },
      async addMessages(session, messages, options) {
        const added = await sound.addMessages(session, messages, options)
        const child = shared.get(session)
        if (child !== undefined) await sound.addMessages(`${child}`, messages)
        return added
      },
    }),
  },
  {
    name: 'tool-result-lands-in-the-fork',
    breaks: ['forking.1'],
    story:
      'A session is forked while a tool runs. The result is written to the current session, which is now the fork.',
    store: (sound, { shared }) => ({
      async fork(session, target, options) {
        const forked = await sound.fork(session, target, options)
        if (options?.operationId === undefined) shared.set(session, target)
        return forked
      },
      async recordToolCall(session, toolCall, options) {
        return sound.recordToolCall(`${shared.get(session) ?? session}`, toolCall, options)
      },
    }),
  },
  {
    name: 'fork-of-a-snapshot-copies-the-present',
    breaks: ['forking.1'],
    story: 'The option `at` is checked and then not used.',
    store: (sound) => ({
      async fork(session, target, options) {
        if (options?.at !== undefined) await sound.getEntries(session, { at: options.at })
        return sound.fork(session, target, { operationId: options?.operationId })
      },
    }),
  },
  {
    name: 'fork-copies-the-messages-alone',
    breaks: ['forking.1'],
    story: 'Tool calls and summaries are not copied, and the forked agent does not know what it did.',
    backend: (sound, { shared }) => ({
      async commit(session, change, deadline) {
        const isFork = shared.delete(session)
        const append = change.append?.filter(({ kind }) => !isFork || kind === 'message')
        return sound.commit(session, append ? { ...change, append } : change, deadline)
      },
    }),
    store: (sound, { shared }) => ({
      async fork(session, target, options) {
        shared.set(target, true)
        return sound.fork(session, target, options).finally(() => shared.delete(target))
      },
    }),
  },
  {
    name: 'fork-takes-the-snapshots-along',
    breaks: ['forking.1'],
    story: 'The snapshot rows are copied too. They point to a log that the fork does not have.',
    store: (sound) => ({
      async fork(session, target, options) {
        const saved = await sound.listSnapshots(session)
        const forked = await sound.fork(session, target, options)
        if (options?.operationId !== undefined) return forked
        for (const { id, label } of saved) await sound.saveSnapshot(target, { id, label })
        return forked
      },
    }),
  },
  {
    name: 'fork-replaces-what-is-there',
    breaks: ['forking.2'],
    story: 'A fork into a taken name deletes the session with that name.',
    store: (sound) => ({
      fork: (session, target, options) =>
        overwriting(sound, target, session !== target, () => sound.fork(session, target, options)),
    }),
  },
  {
    name: 'fork-takes-an-empty-session-for-none',
    breaks: ['forking.2'],
    story:
      'Whether the target exists is decided by whether it has entries. A session that was just cleared is replaced, snapshots and all.',
    store: (sound) => ({
      async fork(session, target, options) {
        if ((await sound.sessionInfo(target))?.entries === 0) await sound.deleteSession(target)
        return sound.fork(session, target, options)
      },
    }),
  },
  {
    name: 'fork-looks-then-leaps',
    breaks: ['forking.2'],
    story: 'Two forks into the same name both see that it is free. The second overwrites the first, and both succeed.',
    races: 'forking.2/fork-over-existing',
    store: (sound) => ({
      async fork(session, target, options) {
        const isFree = (await sound.sessionInfo(target)) === null
        return overwriting(sound, target, isFree, () => sound.fork(session, target, options))
      },
    }),
  },
  {
    name: 'rewind-forgets-how-the-session-began',
    breaks: ['rewinding.1'],
    story:
      'The state is rebuilt from the remaining turns, but the settings from the start of the session are not in the turns.',
    seen: 'https://github.com/google/adk-python/issues/4933',
    store: (sound) => ({
      async rewind(session, options) {
        const result = await sound.rewind(session, options)
        if (options.operationId !== undefined) return result
        const left = await sound.getHistory(session)
        if (left[0]?.role === 'system' && left.length > 1) await sound.trim(session, { maxEntries: left.length - 1 })
        return result
      },
    }),
  },
  {
    name: 'rewind-by-the-number',
    breaks: ['rewinding.1'],
    story: 'WHERE seq <= ?. After a compaction, the summary comes first but has the highest number, so it is cut.',
    store: (sound) => ({
      async rewind(session, options) {
        const { to, operationId } = options
        const entries = await sound.getEntries(session)
        const after = entries.slice(entries.findIndex(({ seq }) => seq === to) + 1)
        const isOrdered = entries.every(({ seq }, index) => index === 0 || seq > (entries[index - 1]?.seq ?? 0))
        if (isOrdered || operationId !== undefined || to === undefined) return sound.rewind(session, options)
        await sound.clear(session)
        const kept = entries.filter((entry) => entry.seq <= to)
        for (const entry of kept) if (entry.kind === 'message') await sound.addMessages(session, [entry.message])
        const { version, epoch } = await sound.getHistory(session)
        return { version, epoch, removed: after, seqs: [], snapshot: null }
      },
    }),
  },
  {
    name: 'rewind-keeps-one-turn-too-many',
    breaks: ['rewinding.1'],
    story: '"Regenerate" keeps the answer it should replace.',
    store: (sound) => ({
      async rewind(session, options) {
        const entries = await sound.getEntries(session)
        const { to } = options
        const index = entries.findIndex(({ seq }) => seq === to)
        const next = index > 0 && index < entries.length - 1 ? entries[index + 1]?.seq : undefined
        if (to === undefined || to === 0 || next === undefined) return sound.rewind(session, options)
        return sound.rewind(session, { ...options, to: next })
      },
    }),
  },
  {
    name: 'rewind-returns-the-newest-first',
    breaks: ['rewinding.1'],
    story: 'Popped turns come back newest first. An editor that puts them back reverses the conversation.',
    store: (sound) => ({
      async rewind(session, options) {
        const result = await sound.rewind(session, options)
        return { ...result, removed: result.removed.toReversed() }
      },
    }),
  },
  {
    name: 'rewind-to-nothing-does-nothing',
    breaks: ['rewinding.1'],
    story: 'if (!to) return.',
    store: (sound) => ({
      async rewind(session, options) {
        if (options.to !== 0 || options.operationId !== undefined) return sound.rewind(session, options)
        const { version, epoch } = await sound.getHistory(session)
        return { version, epoch, removed: [], seqs: [], snapshot: null }
      },
    }),
  },
  {
    name: 'rewind-wipes-the-later-snapshots',
    breaks: ['snapshots.1', 'rewinding.1'],
    story: 'Everything after the cut is removed, including the snapshots that were taken there.',
    store: (sound) => ({
      async rewind(session, options) {
        const result = await sound.rewind(session, options)
        const left = (await sound.getEntries(session)).length
        for (const { id, entries } of await sound.listSnapshots(session)) {
          if (entries > left) await sound.deleteSnapshot(session, id)
        }
        return result
      },
    }),
  },
  {
    name: 'rewind-cuts-what-it-never-read',
    breaks: ['rewinding.2', 'interleaving.1'],
    story: 'It reads what it will cut, then cuts to the end. A turn acknowledged in between is lost.',
    backend(sound) {
      const ends = new Map<string, number>()
      return {
        async read(session, want, deadline) {
          const reading = await sound.read(session, want, deadline)
          if (reading.state !== null) ends.set(session, reading.state.end)
          return reading
        },
        commit(session, change, deadline) {
          const { ifVersion, ...blind } = change
          if (ifVersion === undefined || change.path === undefined) return sound.commit(session, change, deadline)
          const { answer = '' } = change.operation
          const operation = { ...change.operation, answer: answer.replace('null', `${ends.get(session)}`) }
          return sound.commit(session, { ...blind, operation }, deadline)
        },
      }
    },
  },
  {
    name: 'rewind-leaves-it-to-the-sweeper',
    breaks: ['rewinding.2'],
    story: 'Under constant writes, it cuts first and reads later. By then, a sweep has removed the entries.',
    backend: (sound) => ({
      commit(session, change, deadline) {
        const { putSnapshot, ...bare } = change
        const isRewind = putSnapshot?.automatic && change.ifSnapshot === undefined
        return sound.commit(session, isRewind ? bare : change, deadline)
      },
    }),
  },
]
