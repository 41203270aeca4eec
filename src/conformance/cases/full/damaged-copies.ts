import assert from 'node:assert/strict'
import type { SessionCopy } from '../../../core/backend.ts'
import { same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill, toFill } from './helpers/rich-session.ts'

type Damage = (copy: SessionCopy & { entries: SessionCopy['entries'][number][] }) => unknown

const damages: [string, Damage][] = [
  ['an entry is missing', ({ entries }) => entries.splice(3, 1)],
  ['the first entry is missing', ({ entries }) => entries.shift()],
  ['the last entry is missing', ({ entries }) => entries.pop()],
  ['every entry is missing', ({ entries }) => entries.splice(0)],
  [
    'an entry that only a snapshot reads is missing',
    ({ entries }) =>
      entries.splice(
        entries.findIndex(({ body }) => body.includes('turn 20')),
        1,
      ),
  ],
  ['entries are out of order', ({ entries }) => entries.push(...entries.splice(3, 1))],
  ['an entry is none', ({ entries }) => entries.splice(3, 1, null as never)],
  ['an entry has no time', ({ entries }) => Object.assign(entries[3] as object, { at: undefined })],
  ['an entry comes twice', ({ entries }) => entries.splice(3, 0, entries[3] as never)],
  [
    'there is an entry that nothing reads',
    ({ entries, head }) => entries.push({ ...(entries[0] as (typeof entries)[number]), seq: head.end + 1 }),
  ],
  ['a body is cut short', ({ entries }) => Object.assign(entries[2] as object, { body: '{"role":' })],
  ['an entry has a format of the future', ({ entries }) => Object.assign(entries[2] as object, { format: 99 })],
  ['an entry has an unknown kind', ({ entries }) => Object.assign(entries[2] as object, { kind: 'dream' })],
  ['bytes are missing', ({ entries }) => Object.assign(entries[9] as object, { bytes: null })],
  ['bytes are cut short', ({ entries }) => Object.assign(entries[9] as object, { bytes: new Uint8Array(3) })],
  [
    'bytes of an embedding are cut short',
    ({ entries }) => {
      const summary = entries.find(({ kind }) => kind === 'summary') as { bytes: Uint8Array }
      Object.assign(summary, { bytes: summary.bytes.subarray(0, -1) })
    },
  ],
  ['a seq is none', ({ entries }) => Object.assign(entries[0] as object, { seq: 0.5 })],
  ['a path is missing', ({ epochs }) => (epochs as unknown[]).pop()],
  ['the path of a snapshot is missing', ({ epochs }) => (epochs as unknown[]).shift()],
  [
    'a path overlaps itself',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 5],
          [4, null],
        ],
      }),
  ],
  ['a path is closed', ({ epochs }) => Object.assign(epochs[0] as object, { path: [[1, 5]] })],
  [
    'a path has no end',
    ({ epochs }) =>
      Object.assign(epochs[0] as object, {
        path: [
          [1, 1e12],
          [1e12 + 1, null],
        ],
      }),
  ],
  ['the log has no end', ({ head }) => Object.assign(head, { end: 1e15 })],
  ['a snapshot id comes twice', ({ snapshots }) => Object.assign(snapshots[1] as object, { id: 'first' })],
  [
    'a snapshot lies beyond the end',
    ({ snapshots, head }) => Object.assign(snapshots[0] as object, { end: head.end + 1 }),
  ],
  ['a snapshot has a label that is no text', ({ snapshots }) => Object.assign(snapshots[1] as object, { label: 7 })],
  ['the time to live is negative', ({ head }) => Object.assign(head, { ttl: -1 })],
  ['the time to live is beyond all time', ({ head }) => Object.assign(head, { ttl: 1e308 })],
  ['the time to live leaves no room', ({ head }) => Object.assign(head, { ttl: 8.64e15 })],
  ['the counter cannot go on', ({ head }) => Object.assign(head, { counter: Number.MAX_SAFE_INTEGER })],
  ['the counter is no exact number', ({ head }) => Object.assign(head, { counter: 1e300 })],
  [
    'the epoch cannot go on',
    ({ head, epochs }) => {
      Object.assign(epochs.at(-1) as object, { number: Number.MAX_SAFE_INTEGER })
      Object.assign(head, { epoch: Number.MAX_SAFE_INTEGER })
    },
  ],
  ['the log cannot go on', ({ head }) => Object.assign(head, { end: Number.MAX_SAFE_INTEGER })],
  ['it ends after all time', ({ head }) => Object.assign(head, { expiresAt: 1e16 })],
  ['it ended before all time', ({ head }) => Object.assign(head, { expiresAt: -1 })],
  ['it began after all time', ({ head }) => Object.assign(head, { createdAt: 1e16 })],
  ['it began before all time', ({ head }) => Object.assign(head, { createdAt: -1 })],
  ['it changed after all time', ({ head }) => Object.assign(head, { updatedAt: Number.MAX_SAFE_INTEGER })],
  ['an entry is of no time', ({ entries }) => Object.assign(entries[3] as object, { at: 1e16 })],
  ['a snapshot is of no time', ({ snapshots }) => Object.assign(snapshots[0] as object, { at: -1 })],
  [
    'a snapshot is later than the session',
    ({ snapshots, head }) => Object.assign(snapshots.at(-1) as object, { number: head.counter + 1 }),
  ],
  ['a field of the head is missing', ({ head }) => Object.assign(head, { counter: undefined })],
  ['the snapshots are missing', (copy) => Object.assign(copy, { snapshots: undefined })],
  ['the nonce is none', ({ head }) => Object.assign(head, { nonce: 'a.b' })],
  ['there is a field too many', (copy) => Object.assign(copy, { extra: 1 })],
  ['the id is empty', (copy) => Object.assign(copy, { id: '' })],
]

/** Every damage of a copy is a case of its own. */
export const damagedCopies: WrittenCase[] = damages.map(
  ([title, damage]): WrittenCase => ({
    id: `transfer.4/${title.replaceAll(' ', '-')}`,
    clause: 'transfer.4',
    level: 'full',
    needs: [...toFill, 'codes'],
    title: `a copy is refused if ${title}`,
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
