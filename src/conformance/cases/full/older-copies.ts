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

export const olderCopies: WrittenCase[] = [
  {
    id: 'transfer.2/copies-of-an-older-version',
    clause: 'transfer.2',
    level: 'full',
    needs: [...toFill, 'codes'],
    title: 'a copy whose entries are in the format of 0.1 reads the same, and is exported in the current one',
    async run({ store, open }) {
      await fill(store)
      const copy: SessionCopy = await store.exportSession('s')
      const other = await open()
      await other.importSession({ ...copy, entries: copy.entries.map(byOlderVersion) })
      same(await look(other, 's'), await look(store, 's'), 'everything that can be read')
      same(await other.exportSession('s'), copy, 'the copy of what was imported')
      same((await other.verify()).ok, true, 'verify')
    },
  },
]
