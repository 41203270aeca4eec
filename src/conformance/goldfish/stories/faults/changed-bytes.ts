import type { Backend, StoredEntry } from '../../../../core/backend.ts'
import { jsonOf, openEntry, sealEntry } from '../../../../core/seal-entry.ts'
import type { Goldfish } from '../../goldfish.ts'

/** Gives what was read a checksum that fits, so that nothing looks changed. */
function reading(backend: Backend, overlooks: (entry: StoredEntry) => boolean): Partial<Backend> {
  const resealed = (entry: StoredEntry): StoredEntry =>
    overlooks(entry) ? { ...entry, ...sealEntry(entry.kind, jsonOf(entry), entry.bytes) } : entry
  return {
    async read(session, want, deadline) {
      const found = await backend.read(session, want, deadline)
      return { ...found, entries: found.entries.map(resealed), summaries: found.summaries.map(resealed) }
    },
  }
}

/** Whether the checksum fits once something is as it was. */
function fits(entry: StoredEntry): boolean {
  try {
    openEntry(entry)
    return true
  } catch {
    return false
  }
}

/** What is read as if it were intact, although it changed on disk. */
export const changedBytes: Goldfish[] = [
  {
    name: 'nobody-compares-the-checksum',
    breaks: ['loss.6'],
    story: 'A bit of the file flips. The JSON is still valid, and the agent reads a different name than the user gave.',
    between: (backend) => reading(backend, () => true),
  },
  {
    name: 'entries-with-bytes-have-no-checksum',
    breaks: ['loss.6'],
    story: 'Text is checked. An entry with an embedding is not, and one bit makes it a different vector.',
    between: (backend) => reading(backend, ({ bytes }) => bytes !== null),
  },
  {
    name: 'a-checksum-without-the-kind',
    breaks: ['loss.6'],
    story:
      'A summary for recall turns into one that stands in for turns. The text is intact, but it now appears in the history.',
    between: (backend) =>
      reading(backend, (entry) =>
        (['summary', 'compaction'] as const).some((kind) => kind !== entry.kind && fits({ ...entry, kind })),
      ),
  },
]
