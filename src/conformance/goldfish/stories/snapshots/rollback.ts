import type { Backend, Change, StoredEntry } from '../../../../core/backend.ts'
import { closePath, rangesOf, splitHead } from '../../../../core/path.ts'
import type { ListedSnapshot } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { tick } from '../../helpers/reshape.ts'

/** Entries on a page. */
const page = 1000
/** Automatic snapshots kept. */
const automaticKept = 10

/** A rollback after which some of the snapshots are gone. */
function wiping(
  which: (snapshots: ListedSnapshot[], target: ListedSnapshot) => ListedSnapshot[],
): NonNullable<Goldfish['store']> {
  return (sound) => ({
    async rollbackToSnapshot(session, snapshot, options) {
      const listed = (await sound.listSnapshots(session)).filter(({ automatic }) => !automatic)
      const result = await sound.rollbackToSnapshot(session, snapshot, options)
      const target = listed.find(({ id }) => id === snapshot)
      if (target === undefined) return result
      for (const { id } of which(listed, target)) await sound.deleteSnapshot(session, id)
      return result
    },
  })
}

/** A rollback that brings back only some of the entries. */
function keeping(keeps: (entry: StoredEntry, index: number, all: readonly StoredEntry[]) => boolean) {
  return (sound: Backend): Partial<Backend> => ({
    async commit(session, change, deadline) {
      const record = change.ifSnapshot && change.path ? change.ifSnapshot.id : undefined
      if (record === undefined) return sound.commit(session, change, deadline)
      const { snapshot } = await sound.read(session, { snapshot: record }, deadline)
      if (snapshot === null) return sound.commit(session, change, deadline)
      const ranges = closePath(snapshot.path, snapshot.record.end)
      const { entries } = await sound.read(session, { ranges }, deadline)
      const seqs = entries.filter(keeps).map(({ seq }) => seq)
      const ill: Change = { ...change, path: { cause: 'rollback', plan: [...rangesOf(seqs), ['next', null]] } }
      return sound.commit(session, ill, deadline)
    },
  })
}

export const rollback: Goldfish[] = [
  {
    name: 'rollback-wipes-the-later-snapshots',
    breaks: ['snapshots.2'],
    story:
      'Going back in time deletes the snapshots of the future. If you went back too far, you cannot go forward again.',
    store: wiping((snapshots, target) => snapshots.slice(snapshots.indexOf(target) + 1)),
  },
  {
    name: 'rollback-wipes-the-earlier-snapshots',
    breaks: ['snapshots.2'],
    story: 'After a rollback, everything before the target is considered history and removed.',
    store: wiping((snapshots, target) => snapshots.slice(0, snapshots.indexOf(target))),
  },
  {
    name: 'rollback-uses-its-snapshot-up',
    breaks: ['snapshots.2'],
    story: 'A snapshot is a save slot, and loading it empties it. The same rollback never works twice.',
    store: wiping((_, target) => [target]),
  },
  {
    name: 'rollback-keeps-the-newest-ten-snapshots',
    breaks: ['snapshots.2'],
    story: 'The cleanup of automatic snapshots also counts those that people saved, and drops the oldest.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        const listed = await sound.listSnapshots(session)
        for (const { id, automatic } of listed.slice(0, -automaticKept)) {
          if (!automatic && id !== snapshot) await sound.deleteSnapshot(session, id)
        }
        return result
      },
    }),
  },
  {
    name: 'rollback-loses-the-tool-calls',
    breaks: ['snapshots.1'],
    story: 'The rollback rebuilds the conversation, but nobody told it that tool-call records are part of the state.',
    backend: keeping(({ kind }) => kind !== 'toolCall'),
  },
  {
    name: 'rollback-loses-the-summaries',
    breaks: ['snapshots.1'],
    story: 'Messages come back, but summaries added by hand do not. What should be recalled forever is gone.',
    backend: keeping(({ kind }) => kind !== 'summary'),
  },
  {
    name: 'rollback-loses-the-compacted-past',
    breaks: ['snapshots.5'],
    story: 'A snapshot of a compacted session comes back without the summary that replaced its beginning.',
    backend: keeping(({ kind }) => kind !== 'compaction'),
  },
  {
    name: 'rollback-forgets-the-last-turn',
    breaks: ['snapshots.1'],
    story: 'Less than instead of less than or equal: the newest entry of the snapshot is missing.',
    backend: keeping((_, index, all) => all.length === 1 || index < all.length - 1),
  },
  {
    name: 'rollback-brings-back-a-page',
    breaks: ['snapshots.1'],
    story: 'The rollback restores a single page of the list, and a long conversation comes back short.',
    backend: keeping((_, index) => index < page),
  },
  {
    name: 'rollback-drops-the-embeddings',
    breaks: ['snapshots.1'],
    story:
      'Vectors live in a separate table that the rollback does not restore. The text is there, but recall finds nothing.',
    store: (sound, { shared }) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        shared.set(session, true)
        return sound.rollbackToSnapshot(session, snapshot, options)
      },
      async getEntries(session, options) {
        const entries = await sound.getEntries(session, options)
        if (shared.has(session))
          for (const entry of entries) if (entry.kind === 'summary') delete entry.summary.embedding
        return entries
      },
    }),
  },
  {
    name: 'rollback-by-count',
    breaks: ['snapshots.1', 'snapshots.5'],
    story:
      'A snapshot remembers how many entries there were, not which ones. After a trim, the count matches other entries.',
    backend: (sound) => ({
      async read(session, want, deadline) {
        const reading = await sound.read(session, want, deadline)
        if (reading.snapshot === null || reading.state === null) return reading
        const { record, path } = reading.snapshot
        const count = closePath(path, record.end).reduce((sum, [from, to]) => sum + to - from + 1, 0)
        const now = closePath(reading.state.path, reading.state.end)
        const most = now.reduce((sum, [from, to]) => sum + to - from + 1, 0)
        if (most < count) return reading
        return { ...reading, snapshot: { record, path: splitHead(now, count)[0] } }
      },
    }),
  },
  {
    name: 'rollback-to-nothing-does-nothing',
    breaks: ['snapshots.5'],
    story: 'if (entries.length) restore(entries): you cannot roll back to a snapshot of an empty session.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const before = await sound.getEntries(session)
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        const isEmpty = (await sound.getEntries(session)).length === 0
        if (!isEmpty || before.length === 0 || options?.operationId !== undefined) return result
        return sound.rollbackToSnapshot(session, result.leftBehind)
      },
    }),
  },
  {
    name: 'rollback-keeps-no-way-back',
    breaks: ['snapshots.3'],
    story:
      'The rollback returns the id of a snapshot of the old state, but never saves it. A mistaken rollback is final.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        if (options?.operationId === undefined) await sound.deleteSnapshot(session, result.leftBehind)
        return result
      },
    }),
  },
  {
    name: 'rollback-drops-its-own-target',
    breaks: ['snapshots.3'],
    story: 'Rolling back to the oldest automatic snapshot makes room for a new one by dropping its own target.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { automatic } = await sound.read(session, { snapshot: 'any' }, deadline)
        const isRollback = change.ifSnapshot && change.putSnapshot
        const dropSnapshots = automatic.length >= automaticKept ? automatic.slice(0, 1) : []
        return sound.commit(session, isRollback ? { ...change, dropSnapshots } : change, deadline)
      },
    }),
  },
  {
    name: 'rollback-keeps-nine',
    breaks: ['snapshots.3'],
    story: 'Of the ten promised automatic snapshots, the oldest is dropped one rollback too early.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        const automatic = (await sound.listSnapshots(session)).filter((one) => one.automatic && one.id !== snapshot)
        for (const { id } of automatic.slice(0, 1 - automaticKept)) await sound.deleteSnapshot(session, id)
        return result
      },
    }),
  },
  {
    name: 'rollback-cuts-those-who-write-meanwhile',
    breaks: ['snapshots.8'],
    story:
      'The rollback ends by deleting everything after the restored turns. A turn that arrived in between is silently cut off.',
    races: 'snapshots.8/turns-added-meanwhile',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        if (options?.operationId !== undefined) return result
        const last = (await sound.getEntries(session, { at: snapshot })).at(-1)
        await tick()
        await sound.rewind(session, { to: last?.seq ?? 0 })
        return result
      },
    }),
  },
]
