import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../core/backend.ts'
import { same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill, toFill } from './helpers/rich-session.ts'

type Damage = (copy: SessionCopy & { entries: SessionCopy['entries'][number][] }) => unknown

/** The place is the one that the error names. */
const damages: [id: string, place: string, title: string, damage: Damage][] = [
  ['entry-missing', 'copy.entries', 'an entry is missing', ({ entries }) => entries.splice(3, 1)],
  ['first-entry-missing', 'copy.entries', 'the first entry is missing', ({ entries }) => entries.shift()],
  ['last-entry-missing', 'copy.entries', 'the last entry is missing', ({ entries }) => entries.pop()],
  ['every-entry-missing', 'copy.entries', 'every entry is missing', ({ entries }) => entries.splice(0)],
  [
    'snapshot-entry-missing',
    'copy.entries',
    'an entry that only a snapshot reads is missing',
    ({ entries }) =>
      entries.splice(
        entries.findIndex(({ body }) => body.includes('turn 20')),
        1,
      ),
  ],
  [
    'entries-out-of-order',
    'copy.entries[17]',
    'entries are out of order',
    ({ entries }) => entries.push(...entries.splice(3, 1)),
  ],
  ['entry-null', 'copy.entries[3]', 'an entry is null', ({ entries }) => entries.splice(3, 1, null as never)],
  [
    'entry-without-time',
    'copy.entries[3].at',
    'an entry has no time',
    ({ entries }) => Object.assign(entries[3] as object, { at: undefined }),
  ],
  [
    'entry-twice',
    'copy.entries[4]',
    'an entry comes twice',
    ({ entries }) => entries.splice(3, 0, entries[3] as never),
  ],
  [
    'entry-nothing-reads',
    'copy.entries',
    'there is an entry that nothing reads',
    ({ entries, head }) => entries.push({ ...(entries[0] as (typeof entries)[number]), seq: head.end + 1 }),
  ],
  [
    'body-cut-short',
    'copy.entries[2]',
    'a body is cut short',
    ({ entries }) => Object.assign(entries[2] as object, { body: '{"role":' }),
  ],
  [
    'entry-of-future-format',
    'copy.entries[2]',
    'an entry has a future format',
    ({ entries }) => Object.assign(entries[2] as object, { format: 99 }),
  ],
  [
    'entry-of-unknown-kind',
    'copy.entries[2].kind',
    'an entry has an unknown kind',
    ({ entries }) => Object.assign(entries[2] as object, { kind: 'dream' }),
  ],
  [
    'bytes-missing',
    'copy.entries[9]',
    'bytes are missing',
    ({ entries }) => Object.assign(entries[9] as object, { bytes: null }),
  ],
  [
    'bytes-cut-short',
    'copy.entries[9]',
    'bytes are cut short',
    ({ entries }) => Object.assign(entries[9] as object, { bytes: new Uint8Array(3) }),
  ],
  [
    'embedding-cut-short',
    'copy.entries[10]',
    'the bytes of an embedding are cut short',
    ({ entries }) => {
      const summary = entries.find(({ kind }) => kind === 'summary') as { bytes: Uint8Array }
      Object.assign(summary, { bytes: summary.bytes.subarray(0, -1) })
    },
  ],
  [
    'seq-not-an-integer',
    'copy.entries[0].seq',
    'a seq is not an integer',
    ({ entries }) => Object.assign(entries[0] as object, { seq: 0.5 }),
  ],
  ['path-missing', 'copy.epochs', 'a path is missing', ({ epochs }) => (epochs as unknown[]).pop()],
  [
    'snapshot-path-missing',
    'copy.snapshots[0]',
    'the path of a snapshot is missing',
    ({ epochs }) => (epochs as unknown[]).shift(),
  ],
  [
    'path-overlaps-itself',
    'copy.epochs[0]',
    'a path overlaps itself',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 5],
          [4, null],
        ],
      }),
  ],
  [
    'path-closed',
    'copy.epochs[0]',
    'a path is closed',
    ({ epochs }) => Object.assign(epochs[0] as object, { path: [[1, 5]] }),
  ],
  [
    'path-without-end',
    'copy.epochs[0]',
    'a path ends far beyond the log',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 1e12],
          [1e12 + 1, null],
        ],
      }),
  ],
  [
    'log-without-end',
    'copy.entries',
    'the log ends far beyond its entries',
    ({ head }) => Object.assign(head, { end: 1e15 }),
  ],
  [
    'snapshot-id-twice',
    'copy.snapshots[1]',
    'a snapshot id comes twice',
    ({ snapshots }) => Object.assign(snapshots[1] as object, { id: 'first' }),
  ],
  [
    'snapshot-beyond-the-end',
    'copy.snapshots[0]',
    'a snapshot points past the end',
    ({ snapshots, head }) => Object.assign(snapshots[0] as object, { end: head.end + 1 }),
  ],
  [
    'label-not-text',
    'copy.snapshots[1].label',
    "a snapshot's label is not text",
    ({ snapshots }) => Object.assign(snapshots[1] as object, { label: 7 }),
  ],
  ['ttl-negative', 'copy.head.ttl', 'the time to live is negative', ({ head }) => Object.assign(head, { ttl: -1 })],
  [
    'ttl-beyond-all-time',
    'copy.head.ttl',
    'the time to live is far out of range',
    ({ head }) => Object.assign(head, { ttl: 1e308 }),
  ],
  [
    'ttl-leaves-no-room',
    'copy.head.ttl',
    'the time to live leaves no room for a date',
    ({ head }) => Object.assign(head, { ttl: 8.64e15 }),
  ],
  [
    'counter-at-its-limit',
    'copy.head.counter',
    'the counter is at its limit',
    ({ head }) => Object.assign(head, { counter: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'counter-not-exact',
    'copy.head.counter',
    'the counter is not an exact number',
    ({ head }) => Object.assign(head, { counter: 1e300 }),
  ],
  [
    'epoch-at-its-limit',
    'copy.head.epoch',
    'the epoch is at its limit',
    ({ head, epochs }) => {
      Object.assign(epochs.at(-1) as object, { number: Number.MAX_SAFE_INTEGER })
      Object.assign(head, { epoch: Number.MAX_SAFE_INTEGER })
    },
  ],
  [
    'log-at-its-limit',
    'copy.head.end',
    'the log is at its limit',
    ({ head }) => Object.assign(head, { end: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'ends-after-all-time',
    'copy.head.expiresAt',
    'it expires after the last possible date',
    ({ head }) => Object.assign(head, { expiresAt: 1e16 }),
  ],
  [
    'ended-before-all-time',
    'copy.head.expiresAt',
    'it expires before the first possible date',
    ({ head }) => Object.assign(head, { expiresAt: -1 }),
  ],
  [
    'began-after-all-time',
    'copy.head.createdAt',
    'it was created after the last possible date',
    ({ head }) => Object.assign(head, { createdAt: 1e16 }),
  ],
  [
    'began-before-all-time',
    'copy.head.createdAt',
    'it was created before the first possible date',
    ({ head }) => Object.assign(head, { createdAt: -1 }),
  ],
  [
    'changed-after-all-time',
    'copy.head.updatedAt',
    'it was changed after the last possible date',
    ({ head }) => Object.assign(head, { updatedAt: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'entry-time-out-of-range',
    'copy.entries[3].at',
    "an entry's time is out of range",
    ({ entries }) => Object.assign(entries[3] as object, { at: 1e16 }),
  ],
  [
    'snapshot-time-out-of-range',
    'copy.snapshots[0].at',
    "a snapshot's time is out of range",
    ({ snapshots }) => Object.assign(snapshots[0] as object, { at: -1 }),
  ],
  [
    'snapshot-after-the-session',
    'copy.snapshots[2]',
    'a snapshot is later than the session',
    ({ snapshots, head }) => Object.assign(snapshots.at(-1) as object, { number: head.counter + 1 }),
  ],
  [
    'head-field-missing',
    'copy.head.counter',
    'a field of the head is missing',
    ({ head }) => Object.assign(head, { counter: undefined }),
  ],
  [
    'snapshots-missing',
    'copy.snapshots',
    'the snapshots are missing',
    (copy) => Object.assign(copy, { snapshots: undefined }),
  ],
  ['nonce-malformed', 'copy.head.nonce', 'the nonce is malformed', ({ head }) => Object.assign(head, { nonce: 'a.b' })],
  ['unknown-field', 'copy', 'there is an unknown field', (copy) => Object.assign(copy, { extra: 1 })],
  ['id-empty', 'copy.id', 'the id is empty', (copy) => Object.assign(copy, { id: '' })],
]

/** One case for each kind of damage. */
export const damagedCopies: WrittenCase[] = damages.map(
  ([id, path, title, damage]): WrittenCase => ({
    id: `transfer.4/${id}`,
    clause: 'transfer.4',
    level: 'full',
    needs: [...toFill, 'codes'],
    title: `a copy is rejected if ${title}`,
    async run({ store, open }) {
      await fill(store)
      const copy = structuredClone(await store.exportSession('s'))
      damage(copy as Parameters<Damage>[0])
      const other = await open()
      await assert.rejects(other.importSession(copy), { code: 'INVALID_ENTRY', path })
      same((await other.listSessions()).sessions, [])
    },
  }),
)
