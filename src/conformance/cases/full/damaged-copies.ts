import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../core/backend.ts'
import { same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill, toFill } from './helpers/rich-session.ts'

type Damage = (copy: SessionCopy & { entries: SessionCopy['entries'][number][] }) => unknown

const damages: [id: string, title: string, damage: Damage][] = [
  ['entry-missing', 'an entry is missing', ({ entries }) => entries.splice(3, 1)],
  ['first-entry-missing', 'the first entry is missing', ({ entries }) => entries.shift()],
  ['last-entry-missing', 'the last entry is missing', ({ entries }) => entries.pop()],
  ['every-entry-missing', 'every entry is missing', ({ entries }) => entries.splice(0)],
  [
    'snapshot-entry-missing',
    'an entry that only a snapshot reads is missing',
    ({ entries }) =>
      entries.splice(
        entries.findIndex(({ body }) => body.includes('turn 20')),
        1,
      ),
  ],
  ['entries-out-of-order', 'entries are out of order', ({ entries }) => entries.push(...entries.splice(3, 1))],
  ['entry-null', 'an entry is null', ({ entries }) => entries.splice(3, 1, null as never)],
  [
    'entry-without-time',
    'an entry has no time',
    ({ entries }) => Object.assign(entries[3] as object, { at: undefined }),
  ],
  ['entry-twice', 'an entry comes twice', ({ entries }) => entries.splice(3, 0, entries[3] as never)],
  [
    'entry-nothing-reads',
    'there is an entry that nothing reads',
    ({ entries, head }) => entries.push({ ...(entries[0] as (typeof entries)[number]), seq: head.end + 1 }),
  ],
  ['body-cut-short', 'a body is cut short', ({ entries }) => Object.assign(entries[2] as object, { body: '{"role":' })],
  [
    'entry-of-future-format',
    'an entry has a future format',
    ({ entries }) => Object.assign(entries[2] as object, { format: 99 }),
  ],
  [
    'entry-of-unknown-kind',
    'an entry has an unknown kind',
    ({ entries }) => Object.assign(entries[2] as object, { kind: 'dream' }),
  ],
  ['bytes-missing', 'bytes are missing', ({ entries }) => Object.assign(entries[9] as object, { bytes: null })],
  [
    'bytes-cut-short',
    'bytes are cut short',
    ({ entries }) => Object.assign(entries[9] as object, { bytes: new Uint8Array(3) }),
  ],
  [
    'embedding-cut-short',
    'the bytes of an embedding are cut short',
    ({ entries }) => {
      const summary = entries.find(({ kind }) => kind === 'summary') as { bytes: Uint8Array }
      Object.assign(summary, { bytes: summary.bytes.subarray(0, -1) })
    },
  ],
  ['seq-not-an-integer', 'a seq is not an integer', ({ entries }) => Object.assign(entries[0] as object, { seq: 0.5 })],
  ['path-missing', 'a path is missing', ({ epochs }) => (epochs as unknown[]).pop()],
  ['snapshot-path-missing', 'the path of a snapshot is missing', ({ epochs }) => (epochs as unknown[]).shift()],
  [
    'path-overlaps-itself',
    'a path overlaps itself',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 5],
          [4, null],
        ],
      }),
  ],
  ['path-closed', 'a path is closed', ({ epochs }) => Object.assign(epochs[0] as object, { path: [[1, 5]] })],
  [
    'path-without-end',
    'a path ends far beyond the log',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 1e12],
          [1e12 + 1, null],
        ],
      }),
  ],
  ['log-without-end', 'the log ends far beyond its entries', ({ head }) => Object.assign(head, { end: 1e15 })],
  [
    'snapshot-id-twice',
    'a snapshot id comes twice',
    ({ snapshots }) => Object.assign(snapshots[1] as object, { id: 'first' }),
  ],
  [
    'snapshot-beyond-the-end',
    'a snapshot points past the end',
    ({ snapshots, head }) => Object.assign(snapshots[0] as object, { end: head.end + 1 }),
  ],
  [
    'label-not-text',
    "a snapshot's label is not text",
    ({ snapshots }) => Object.assign(snapshots[1] as object, { label: 7 }),
  ],
  ['ttl-negative', 'the time to live is negative', ({ head }) => Object.assign(head, { ttl: -1 })],
  ['ttl-beyond-all-time', 'the time to live is far out of range', ({ head }) => Object.assign(head, { ttl: 1e308 })],
  [
    'ttl-leaves-no-room',
    'the time to live leaves no room for a date',
    ({ head }) => Object.assign(head, { ttl: 8.64e15 }),
  ],
  [
    'counter-at-its-limit',
    'the counter is at its limit',
    ({ head }) => Object.assign(head, { counter: Number.MAX_SAFE_INTEGER }),
  ],
  ['counter-not-exact', 'the counter is not an exact number', ({ head }) => Object.assign(head, { counter: 1e300 })],
  [
    'epoch-at-its-limit',
    'the epoch is at its limit',
    ({ head, epochs }) => {
      Object.assign(epochs.at(-1) as object, { number: Number.MAX_SAFE_INTEGER })
      Object.assign(head, { epoch: Number.MAX_SAFE_INTEGER })
    },
  ],
  ['log-at-its-limit', 'the log is at its limit', ({ head }) => Object.assign(head, { end: Number.MAX_SAFE_INTEGER })],
  [
    'ends-after-all-time',
    'it expires after the last possible date',
    ({ head }) => Object.assign(head, { expiresAt: 1e16 }),
  ],
  [
    'ended-before-all-time',
    'it expires before the first possible date',
    ({ head }) => Object.assign(head, { expiresAt: -1 }),
  ],
  [
    'began-after-all-time',
    'it was created after the last possible date',
    ({ head }) => Object.assign(head, { createdAt: 1e16 }),
  ],
  [
    'began-before-all-time',
    'it was created before the first possible date',
    ({ head }) => Object.assign(head, { createdAt: -1 }),
  ],
  [
    'changed-after-all-time',
    'it was changed after the last possible date',
    ({ head }) => Object.assign(head, { updatedAt: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'entry-time-out-of-range',
    "an entry's time is out of range",
    ({ entries }) => Object.assign(entries[3] as object, { at: 1e16 }),
  ],
  [
    'snapshot-time-out-of-range',
    "a snapshot's time is out of range",
    ({ snapshots }) => Object.assign(snapshots[0] as object, { at: -1 }),
  ],
  [
    'snapshot-after-the-session',
    'a snapshot is later than the session',
    ({ snapshots, head }) => Object.assign(snapshots.at(-1) as object, { number: head.counter + 1 }),
  ],
  ['head-field-missing', 'a field of the head is missing', ({ head }) => Object.assign(head, { counter: undefined })],
  ['snapshots-missing', 'the snapshots are missing', (copy) => Object.assign(copy, { snapshots: undefined })],
  ['nonce-malformed', 'the nonce is malformed', ({ head }) => Object.assign(head, { nonce: 'a.b' })],
  ['unknown-field', 'there is an unknown field', (copy) => Object.assign(copy, { extra: 1 })],
  ['id-empty', 'the id is empty', (copy) => Object.assign(copy, { id: '' })],
]

/** One case for each kind of damage. */
export const damagedCopies: WrittenCase[] = damages.map(
  ([id, title, damage]): WrittenCase => ({
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
      await assert.rejects(other.importSession(copy), { code: 'INVALID_ENTRY', path: /^copy/ })
      same((await other.listSessions()).sessions, [])
    },
  }),
)
