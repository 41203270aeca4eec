import { setTimeout as pause } from 'node:timers/promises'
import type { Backend } from '../../../../core/backend.ts'
import { closePath, seqsOf } from '../../../../core/path.ts'
import type { Goldfish } from '../../goldfish.ts'

/** Entries on a page. */
const page = 1000
/** Enough for the case to delete the snapshot and save it again in between. */
const readsUntilSavedAgain = 20

export const lostSnapshots: Goldfish[] = [
  {
    name: 'trim-removes-what-a-snapshot-reads',
    breaks: ['snapshots.5', 'snapshots.1'],
    story: 'DELETE FROM messages WHERE seq < cut. The snapshot is still listed, but its rows are gone.',
    backend: (sound, { shared }) => forgetting(sound, shared),
    store: (sound, { shared }) => ({
      async trim(session, options) {
        const before = await sound.getEntries(session)
        const result = await sound.trim(session, options)
        const left = new Set((await sound.getEntries(session)).map(({ seq }) => seq))
        for (const { seq } of before) if (!left.has(seq)) shared.set(`${session} ${seq}`, true)
        return result
      },
    }),
  },
  {
    name: 'clear-removes-what-a-snapshot-reads',
    breaks: ['snapshots.5'],
    story: 'clear deletes the rows of the session. A rollback to an earlier snapshot restores nothing.',
    backend: (sound, { shared }) => forgetting(sound, shared),
    store: (sound, { shared }) => ({
      async clear(session, options) {
        for (const { seq } of await sound.getEntries(session)) shared.set(`${session} ${seq}`, true)
        return sound.clear(session, options)
      },
    }),
  },
  {
    name: 'deleted-snapshot-takes-shared-entries-along',
    breaks: ['snapshots.7'],
    story: 'Deleting a snapshot deletes the entries it reads, although an older one reads them too.',
    backend: (sound, { shared }) => ({
      ...forgetting(sound, shared),
      async commit(session, change, deadline) {
        const deleted = change.path === undefined && change.ifSnapshot ? change.ifSnapshot.id : undefined
        if (deleted !== undefined) {
          const { snapshot, state } = await sound.read(session, { snapshot: deleted }, deadline)
          const read = snapshot ? closePath(snapshot.path, snapshot.record.end) : []
          const now = new Set(seqsOf(closePath(state?.path ?? [], state?.end ?? 0)))
          for (const seq of seqsOf(read)) if (!now.has(seq)) shared.set(`${session} ${seq}`, true)
        }
        return sound.commit(session, change, deadline)
      },
    }),
  },
  {
    name: 'deleted-snapshot-takes-its-twins-along',
    breaks: ['snapshots.7'],
    story:
      'Snapshots are deleted by the state they point to. Deleting one of two snapshots of the same state deletes both.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const [deleted] = change.path === undefined ? (change.dropSnapshots ?? []) : []
        if (deleted === undefined) return sound.commit(session, change, deadline)
        const { snapshots: all } = await sound.snapshots(session, deadline)
        const target = all.find(({ id }) => id === deleted)
        const twins = all.filter(({ epoch, end }) => epoch === target?.epoch && end === target.end)
        return sound.commit(session, { ...change, dropSnapshots: twins.map(({ id }) => id) }, deadline)
      },
    }),
  },
  {
    name: 'deleted-snapshot-is-only-hidden',
    breaks: ['snapshots.7'],
    story:
      'It is gone from the list, but anyone who still knows the id can bring back what should have been forgotten.',
    store: (sound, { shared }) => ({
      async deleteSnapshot(session, id, options) {
        const hidden = (shared.get(session) as Set<string> | undefined) ?? new Set()
        const known = (await sound.listSnapshots(session)).some((one) => one.id === id && !hidden.has(id))
        if (!known || options !== undefined) return sound.deleteSnapshot(session, id, options)
        shared.set(session, hidden.add(id))
        return sound.getHistory(session)
      },
      async listSnapshots(session) {
        const hidden = shared.get(session) as Set<string> | undefined
        return (await sound.listSnapshots(session)).filter(({ id }) => !hidden?.has(id))
      },
    }),
  },
  {
    name: 'snapshot-read-in-two-halves',
    breaks: ['snapshots.7'],
    story:
      'A long snapshot is read page by page, by its id. If that id is saved again between two pages, the result is half old, half new.',
    races: 'snapshots.7/deleted-and-saved-again',
    store: (sound) => ({
      async getHistory(session, options) {
        const first = await sound.getHistory(session, options)
        if (options?.at === undefined || first.length < page) return first
        for (let attempt = 0; attempt < readsUntilSavedAgain; attempt++) {
          await pause(2)
          const second = await sound.getHistory(session, options).catch(() => null)
          if (second === null) continue
          first.splice(page, first.length, ...second.slice(page))
          break
        }
        return first
      },
    }),
  },
]

/** Silently omits what was marked as removed. */
function forgetting(sound: Backend, removed: Map<string, unknown>): Partial<Backend> {
  return {
    async read(session, want, deadline) {
      const reading = await sound.read(session, want, deadline)
      return { ...reading, entries: reading.entries.filter(({ seq }) => !removed.has(`${session} ${seq}`)) }
    },
  }
}
