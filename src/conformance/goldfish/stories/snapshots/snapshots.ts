import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'

export const snapshots: Goldfish[] = [
  {
    name: 'snapshot-by-reference',
    breaks: ['snapshots.1', 'snapshots.2'],
    story: 'A snapshot points to the live conversation instead of remembering its end, and grows with every turn.',
    backend: (sound) => ({
      async read(session, want, deadline) {
        const reading = await sound.read(session, want, deadline)
        const { snapshot, state } = reading
        if (snapshot === null || state === null || snapshot.record.epoch !== state.epoch) return reading
        return { ...reading, snapshot: { ...snapshot, record: { ...snapshot.record, end: state.end } } }
      },
    }),
  },
  {
    name: 'snapshot-goes-on-after-the-rollback',
    breaks: ['snapshots.2'],
    story: 'After a rollback, the snapshot itself becomes the conversation: the next turns are added to the snapshot.',
    backend: (sound, { shared }) => ({
      async commit(session, change, deadline) {
        const committed = await sound.commit(session, change, deadline)
        if (change.ifSnapshot && change.path) shared.set(session, { id: change.ifSnapshot.id, epoch: committed.epoch })
        return committed
      },
      async read(session, want, deadline) {
        const reading = await sound.read(session, want, deadline)
        const current = shared.get(session) as { id: string; epoch: string } | undefined
        const { snapshot, state } = reading
        if (snapshot === null || state === null || current?.id !== snapshot.record.id) return reading
        if (current.epoch !== `${state.birth}.${state.epoch}.${state.epochNonce}`) return reading
        const record = { ...snapshot.record, end: state.end }
        return { ...reading, snapshot: { record, path: state.path } }
      },
    }),
  },
  {
    name: 'unknown-snapshot-rolls-back-to-the-newest',
    breaks: ['snapshots.4'],
    story: 'A mistyped id is treated as "the latest one". The call reports success, and the last turns are gone.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const listed = await sound.listSnapshots(session)
        const isKnown = listed.some(({ id }) => id === snapshot)
        const newest = listed.at(-1)?.id ?? snapshot
        return sound.rollbackToSnapshot(session, isKnown || options?.operationId ? snapshot : newest, options)
      },
    }),
  },
  {
    name: 'unknown-snapshot-is-a-fresh-start',
    breaks: ['snapshots.4'],
    story: 'Nothing is found under the id, so an empty list is restored.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        try {
          return await sound.rollbackToSnapshot(session, snapshot, options)
        } catch (error) {
          if (codeOf(error) !== 'SNAPSHOT_NOT_FOUND') throw error
          return { ...(await sound.clear(session)), leftBehind: snapshot }
        }
      },
    }),
  },
  {
    name: 'snapshots-of-all-sessions-in-one-table',
    breaks: ['snapshots.4', 'snapshots.6'],
    story:
      "The table's key is the snapshot's id alone: an id from another session loads another user's conversation into this one.",
    store: (sound, { shared }) => ({
      async saveSnapshot(session, options) {
        const saved = await sound.saveSnapshot(session, options)
        shared.set(saved.id, await sound.getHistory(session))
        return saved
      },
      async rollbackToSnapshot(session, snapshot, options) {
        try {
          return await sound.rollbackToSnapshot(session, snapshot, options)
        } catch (error) {
          const foreign = shared.get(snapshot) as Awaited<ReturnType<typeof sound.getHistory>> | undefined
          if (codeOf(error) !== 'SNAPSHOT_NOT_FOUND' || foreign === undefined) throw error
          await sound.clear(session)
          return { ...(await sound.addMessages(session, foreign)), leftBehind: snapshot }
        }
      },
    }),
  },
  {
    name: 'same-snapshot-id-in-two-sessions',
    breaks: ['snapshots.6'],
    story: 'Two sessions save under the same name, "before the refund". The second save removes the first.',
    store: (sound, { shared }) => ({
      async saveSnapshot(session, options) {
        const owner = shared.get(options?.id ?? '')
        const saved = await sound.saveSnapshot(session, options)
        if (owner !== undefined && owner !== session) await sound.deleteSnapshot(`${owner}`, saved.id).catch(() => {})
        if (options?.id !== undefined) shared.set(options.id, session)
        return saved
      },
    }),
  },
  {
    name: 'snapshot-overwrites-one-of-the-same-name',
    breaks: ['snapshots.6'],
    story: 'INSERT OR REPLACE: saving under a taken name silently discards what was saved there.',
    store: (sound) => ({
      async saveSnapshot(session, options) {
        try {
          return await sound.saveSnapshot(session, options)
        } catch (error) {
          if (codeOf(error) !== 'SNAPSHOT_EXISTS') throw error
          await sound.deleteSnapshot(session, options?.id ?? '')
          return sound.saveSnapshot(session, options)
        }
      },
    }),
  },
  {
    name: 'snapshot-ids-ignore-case',
    breaks: ['snapshots.4', 'snapshots.6'],
    story: 'The collation of the id column ignores case, so "Draft" and "draft" are one snapshot.',
    store: (sound) => {
      const fold = async (session: string, id: string) =>
        (await sound.listSnapshots(session)).find((one) => one.id.toLowerCase() === id.toLowerCase())?.id ?? id
      return {
        rollbackToSnapshot: async (session, id, options) =>
          sound.rollbackToSnapshot(session, options?.operationId ? id : await fold(session, id), options),
        deleteSnapshot: async (session, id, options) =>
          sound.deleteSnapshot(session, options?.operationId ? id : await fold(session, id), options),
      }
    },
  },
  {
    name: 'empty-label-becomes-none',
    breaks: ['snapshots.6'],
    story: 'label || null.',
    store: (sound) => ({
      saveSnapshot: async (session, options) =>
        sound.saveSnapshot(session, { ...options, label: options?.label || null }),
    }),
  },
  {
    name: 'label-cut-at-255',
    breaks: ['snapshots.6'],
    story: 'The column is a VARCHAR(255), and the database is not strict about it.',
    store: (sound) => ({
      saveSnapshot: async (session, options) =>
        sound.saveSnapshot(session, { ...options, label: options?.label?.slice(0, 255) }),
    }),
  },
]
