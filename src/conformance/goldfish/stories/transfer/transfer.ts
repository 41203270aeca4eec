import { randomUUID } from 'node:crypto'
import type { Backend, SessionCopy } from '../../../../core/backend.ts'
import { closePath } from '../../../../core/path.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { overwriting } from '../../helpers/overwriting.ts'
import { soon, tick } from '../../helpers/reshape.ts'

/** Enough for the case to write in between. */
const waitsForAWrite = 5
/** What the case clears before it exports. The cases of damaged copies have longer logs. */
const clearedTurns = 3

/** An import that changes the copy on the way. */
function importing(change: (copy: SessionCopy) => SessionCopy): NonNullable<Goldfish['store']> {
  return (sound) => ({
    importSession: (copy, options) => sound.importSession(isWhole(copy) ? change(copy) : copy, options),
  })
}

const isWhole = (copy: SessionCopy) => [copy.entries, copy.epochs, copy.snapshots].every(Array.isArray)

/** An import that accepts damage in some places. */
function trusting(place: RegExp): Required<Pick<Goldfish, 'store' | 'backend'>> {
  return {
    backend: (sound, { shared }) => {
      shared.set('backend', sound)
      return {}
    },
    store: (sound, { shared }) => ({
      async importSession(copy, options) {
        try {
          return await sound.importSession(copy, options)
        } catch (error) {
          const isTrusted = place.test(`${(error as { path?: unknown }).path}`) && options?.operationId === undefined
          if (codeOf(error) !== 'INVALID_ENTRY' || !isTrusted || copy.head === undefined) throw error
          const below = shared.get('backend') as Backend
          const entries = copy.entries.filter((one) => one !== null)
          const change = {
            operation: { id: randomUUID(), digest: '' },
            ifVersion: null,
            restore: { ...copy, snapshots: copy.snapshots ?? [], entries },
          }
          const committed = await below.commit(copy.id, change, soon())
          return { ...committed, entries: entries.length }
        }
      },
    }),
  }
}

export const transfer: Goldfish[] = [
  {
    name: 'export-leaves-the-automatic-snapshots-out',
    breaks: ['transfer.1'],
    story: 'The export skips automatic snapshots. On the new machine there is no way back.',
    store: (sound) => ({
      async exportSession(session) {
        const copy = await sound.exportSession(session)
        return { ...copy, snapshots: copy.snapshots.filter(({ automatic }) => !automatic) }
      },
    }),
  },
  {
    name: 'export-hands-out-the-memory-itself',
    breaks: ['transfer.1'],
    story: 'The copy shares its bytes with the store. Changing the copy changes the memory.',
    backend: (sound, { shared }) => {
      shared.set('backend', sound)
      return {}
    },
    store: (sound, { shared }) => ({
      async exportSession(session) {
        const copy = await sound.exportSession(session)
        const below = shared.get('backend') as Backend
        const ranges = closePath([[1, null]], copy.head.end)
        const { entries } = await below.read(session, { ranges }, soon())
        const bytesOf = new Map(entries.map(({ seq, bytes }) => [seq, bytes]))
        return { ...copy, entries: copy.entries.map((one) => ({ ...one, bytes: bytesOf.get(one.seq) ?? null })) }
      },
    }),
  },
  {
    name: 'export-of-two-moments',
    breaks: ['transfer.1'],
    story: 'The state is read first, then the entries. What was written in between belongs to neither.',
    races: 'transfer.1/copy-of-one-moment',
    store: (sound) => ({
      async exportSession(session) {
        const { head, epochs, snapshots } = await sound.exportSession(session)
        for (let wait = 0; wait < waitsForAWrite; wait++) await tick()
        return { ...(await sound.exportSession(session)), head, epochs, snapshots }
      },
    }),
  },
  {
    name: 'import-loses-the-labels',
    breaks: ['transfer.2'],
    story: 'A conversation that moved to another machine comes back without some of its fields.',
    store: importing((copy) => ({ ...copy, snapshots: copy.snapshots.map((one) => ({ ...one, label: null })) })),
  },
  {
    name: 'import-makes-everything-new',
    breaks: ['transfer.2'],
    story: "The entries get the time of the import, so last year's conversation happened today.",
    store: importing((copy) => ({ ...copy, entries: copy.entries.map((one) => ({ ...one, at: one.at + 1 })) })),
  },
  {
    name: 'import-lives-forever',
    breaks: ['transfer.2'],
    story: 'The expiry is not carried over. What should be forgotten in a month stays.',
    store: importing((copy) => ({ ...copy, head: { ...copy.head, ttl: null, ownTtl: false, expiresAt: null } })),
  },
  {
    name: 'import-renews-the-version',
    breaks: ['transfer.2'],
    story: 'Every client that holds a version is rejected after the move, as if somebody had written in between.',
    store: importing((copy) => {
      const isDamaged = !/^[\w-]+$/.test(copy.head.nonce)
      return isDamaged ? copy : { ...copy, head: { ...copy.head, nonce: randomUUID().slice(24) } }
    }),
  },
  {
    name: 'import-skips-what-is-empty',
    breaks: ['transfer.2'],
    story: 'A session without entries is not imported. Its next seq starts at 1 again.',
    store: (sound) => ({
      async importSession(copy, options) {
        if (copy.entries?.length !== 0 || copy.head.end > clearedTurns) return sound.importSession(copy, options)
        return { version: null, epoch: null, entries: 0 }
      },
    }),
  },
  {
    name: 'import-again-is-refused',
    breaks: ['transfer.2'],
    story: 'The import succeeded, its response was lost, and the retry is told that the session exists.',
    store: (sound) => ({ importSession: (copy) => sound.importSession(copy) }),
  },
  {
    name: 'import-replaces-what-is-there',
    breaks: ['transfer.3'],
    story: 'An import of an old copy overwrites the current session.',
    store: (sound) => ({
      importSession: (copy, options) => overwriting(sound, copy.id, true, () => sound.importSession(copy, options)),
    }),
  },
  {
    name: 'import-does-not-read-the-entries',
    breaks: ['transfer.4'],
    story: 'The entries of the file are written into the table unchecked. Truncated ones are discovered months later.',
    ...trusting(/^copy\.entries\[/),
  },
  {
    name: 'import-does-not-count-the-entries',
    breaks: ['transfer.4'],
    story: 'An interrupted download is imported as far as it got.',
    ...trusting(/^copy\.entries$/),
  },
  {
    name: 'import-does-not-follow-the-paths',
    breaks: ['transfer.4'],
    story: 'It trusts that paths and snapshots fit together, because they came out of an export.',
    ...trusting(/^copy\.(epochs|snapshots)/),
  },
  {
    name: 'import-takes-any-head',
    breaks: ['transfer.4'],
    story: 'The state of the session is spread into the row, with too many fields, too few, or the wrong types.',
    ...trusting(/^copy(\.head.*|\.id)?$/),
  },
  {
    name: 'import-mends-the-copy',
    breaks: ['transfer.4'],
    story: 'Unreadable entries are skipped, duplicates are merged, and the import of the rest reports success.',
    store: (sound) => ({
      async importSession(copy, options) {
        try {
          return await sound.importSession(copy, options)
        } catch (error) {
          const entries = copy.entries ?? []
          const known = new Map(entries.map((one) => [one?.seq, one]))
          if (codeOf(error) !== 'INVALID_ENTRY' || known.size === entries.length || options?.operationId) throw error
          return sound.importSession({ ...copy, entries: [...known.values()] }, options)
        }
      },
    }),
  },
  {
    name: 'import-counts-in-32-bits',
    breaks: ['transfer.2'],
    story: 'The column is a four-byte integer. The busiest session of all does not survive the move.',
    store: importing((copy) => ({ ...copy, head: { ...copy.head, counter: copy.head.counter % 2 ** 32 || 1 } })),
  },
  {
    name: 'export-of-nothing-succeeds',
    breaks: ['transfer.5'],
    story: 'A typo in the id exports an empty session, and everyone thinks the backup is done.',
    store: (sound) => ({
      async exportSession(session) {
        try {
          return await sound.exportSession(session)
        } catch (error) {
          if (codeOf(error) !== 'SESSION_NOT_FOUND') throw error
          await sound.saveSnapshot(session, { id: 'export' })
          const copy = await sound.exportSession(session)
          await sound.deleteSession(session)
          return copy
        }
      },
    }),
  },
]
