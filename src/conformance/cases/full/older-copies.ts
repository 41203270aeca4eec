import assert from 'node:assert/strict'
import type { SessionCopy, StoredEntry } from '../../../core/backend.ts'
import { entryFormats, jsonOf, uncheckedFormats } from '../../../core/seal-entry.ts'
import { same } from '../helpers/same.ts'
import type { WrittenCase } from '../written-case.ts'
import { fill, look, toFill } from './helpers/rich-session.ts'

/** The same entry as 0.1 wrote it: without a checksum. */
function byOlderVersion(entry: StoredEntry): StoredEntry {
  const format = entry.format === entryFormats.withBytes ? uncheckedFormats.withBytes : uncheckedFormats.plain
  return { ...entry, format, body: jsonOf(entry) }
}

/** The same entry, with bytes that belong at a place. */
function withBytesAt(place: readonly (string | number)[]) {
  return (entry: StoredEntry): StoredEntry => {
    const places = Buffer.from(JSON.stringify([[place, 'u8', 1]]))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(places.length)
    const bytes = new Uint8Array(Buffer.concat([length, places, Buffer.of(7)]))
    return { ...entry, format: uncheckedFormats.withBytes, bytes }
  }
}

/** The kind of an entry, and a field that every one of its kind has. */
const required: [kind: StoredEntry['kind'], field: string][] = [
  ['toolCall', 'id'],
  ['toolCall', 'name'],
  ['record', 'type'],
  ['summary', 'text'],
  ['compaction', 'text'],
]

function withoutField(kind: StoredEntry['kind'], missing: string) {
  const fields = required.filter(([of, field]) => of === kind && field !== missing).map(([, field]) => [field, 'x'])
  return (entry: StoredEntry): StoredEntry => ({ ...entry, kind, body: JSON.stringify(Object.fromEntries(fields)) })
}

/** What no version writes, and no checksum tells. */
const wrong: Readonly<Record<string, (entry: StoredEntry) => StoredEntry>> = {
  'no bytes': (entry) => ({ ...entry, format: uncheckedFormats.withBytes, bytes: null }),
  'bytes without a place': withBytesAt([]),
  'bytes in place of a text': withBytesAt(['content']),
  'bytes inside of a text': withBytesAt(['content', 0]),
  'bytes inside of nothing': withBytesAt(['nothing', 'there']),
  'bytes that were not left out': withBytesAt(['new']),
  ...Object.fromEntries(required.map(([kind, field]) => [`a ${kind} without ${field}`, withoutField(kind, field)])),
}

export const olderCopies: WrittenCase[] = [
  {
    id: 'transfer.2/copies-of-an-older-version',
    clause: 'transfer.2',
    level: 'full',
    needs: [...toFill, 'codes'],
    title:
      'a copy whose entries are in the format of 0.1 reads the same and is exported in the current one; one whose bytes or fields do not fit is rejected',
    async run({ store, open }) {
      await fill(store)
      const copy: SessionCopy = await store.exportSession('s')
      const other = await open()
      await other.importSession({ ...copy, entries: copy.entries.map(byOlderVersion) })
      same(await look(other, 's'), await look(store, 's'), 'everything that can be read')
      same(await other.exportSession('s'), copy, 'the copy of what was imported')
      same((await other.verify()).ok, true, 'verify')
      for (const [name, damage] of Object.entries(wrong)) {
        const entries = copy.entries.map((entry, index) => (index === 1 ? damage(byOlderVersion(entry)) : entry))
        const refused = { code: 'INVALID_ENTRY', path: 'copy.entries[1]' }
        await assert.rejects(other.importSession({ ...copy, id: name, entries }), refused, name)
        same(await other.sessionInfo(name), null, `${name}: no session begins`)
      }
    },
  },
]
