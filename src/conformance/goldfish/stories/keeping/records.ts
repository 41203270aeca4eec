import type { Entry, EntryInput } from '../../../../core/entries.ts'
import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'

const recordsIn = (entries: readonly Entry[]): EntryInput[] =>
  entries.flatMap((entry) => (entry.kind === 'record' ? [{ kind: 'record' as const, record: entry.record }] : []))

/** The records of a session, and those that are left after something was done. */
async function lostRecords(sound: FullStore, session: string, work: () => Promise<unknown>): Promise<EntryInput[]> {
  const before = await sound.getEntries(session, { kinds: ['record'] })
  await work()
  const left = new Set((await sound.getEntries(session, { kinds: ['record'] })).map(({ seq }) => seq))
  return recordsIn(before.filter(({ seq }) => !left.has(seq)))
}

/** State that is not part of the prompt, and entries that are added as they were read. */
export const records: Goldfish[] = [
  {
    name: 'restored-memory-has-messages-alone',
    breaks: ['adding.10'],
    story: 'What was read is added again, but only the messages: summaries, records and tool calls are dropped.',
    store: (sound) => ({
      addEntries(session, entries, options) {
        const isMixed = Array.isArray(entries) && new Set(entries.map((entry) => entry?.kind)).size > 2
        return sound.addEntries(session, isMixed ? entries.filter(({ kind }) => kind === 'message') : entries, options)
      },
    }),
  },
  {
    name: 'restored-summary-stands-in-for-nothing',
    breaks: ['adding.10'],
    story: 'A summary that replaced turns is added as one for recall. The turns are gone, and so is their replacement.',
    store: (sound) => ({
      addEntries(session, entries, options) {
        const isMixed = Array.isArray(entries) && entries.length > 3
        if (!isMixed) return sound.addEntries(session, entries, options)
        const plain = entries.map((entry) => (entry?.kind === 'summary' ? { ...entry, standsIn: false } : entry))
        return sound.addEntries(session, plain, options)
      },
    }),
  },
  {
    name: 'bad-entries-are-passed-over',
    breaks: ['adding.10'],
    story: 'Entries that cannot be stored are skipped, with a line in a log. The others are added.',
    store: (sound) => ({
      async addEntries(session, entries, options) {
        try {
          return await sound.addEntries(session, entries, options)
        } catch (error) {
          const isBad = codeOf(error) === 'INVALID_ENTRY' && Array.isArray(entries)
          if (!isBad || entries.length < 3) throw error
          return sound.addEntries(session, [entries[0] as EntryInput, entries[2] as EntryInput], options)
        }
      },
    }),
  },
  {
    name: 'records-take-up-the-budget',
    breaks: ['records.1'],
    story: 'The newest four are requested. Two are records, which are not shown, so the model gets two.',
    store: (sound) => ({
      async getHistory(session, options) {
        const { last } = options ?? {}
        if (last === undefined || options?.before !== undefined || options?.after !== undefined || options?.at) {
          return sound.getHistory(session, options)
        }
        const newest = await sound.getEntries(session, { last: Math.min(last, 1000) })
        const hidden = newest.filter(({ kind }) => kind === 'record').length
        return sound.getHistory(session, { ...options, last: last - hidden })
      },
    }),
  },
  {
    name: 'trim-takes-the-state-along',
    breaks: ['records.2'],
    story: 'The agent wrote down its plan in the first turn. The trim cuts both.',
    store: (sound) => ({
      trim: (session, options) =>
        sound.trim(session, options?.operationId === undefined ? { ...options, records: 'cut' } : options),
    }),
  },
  {
    name: 'compaction-takes-the-state-along',
    breaks: ['records.2'],
    story: 'The summary replaces the turns and everything between them.',
    store: (sound) => ({
      async compact(session, options) {
        const entries = await sound.getEntries(session)
        const isIll = options.operationId === undefined && entries.some(({ kind }) => kind === 'record')
        const compacted = await sound.compact(session, options)
        if (!isIll || compacted.seq === null) return compacted
        const { version, epoch } = await sound.trim(session, { maxEntries: 1, keepSystem: true, records: 'cut' })
        return { ...compacted, version, epoch }
      },
    }),
  },
  {
    name: 'trim-shuffles-the-state',
    breaks: ['records.2'],
    story: 'Records are written again after a trim, at the end. The newest plan is no longer the last one.',
    store: (sound) => ({
      async trim(session, options) {
        if (options?.operationId !== undefined || options?.records !== undefined) return sound.trim(session, options)
        let trimmed: Awaited<ReturnType<FullStore['trim']>> | undefined
        const lost = await lostRecords(sound, session, async () => {
          trimmed = await sound.trim(session, { ...options, records: 'cut' })
        })
        if (lost.length > 0) await sound.addEntries(session, lost)
        return trimmed as Awaited<ReturnType<FullStore['trim']>>
      },
    }),
  },
  {
    name: 'state-outlives-the-clear',
    breaks: ['records.3'],
    story: '"Start over" clears what was said, but the agent continues with the old plan.',
    store: (sound) => ({
      async clear(session, options) {
        const kept = recordsIn(await sound.getEntries(session, { kinds: ['record'] }))
        const cleared = await sound.clear(session, options)
        if (options?.operationId !== undefined || kept.length === 0) return cleared
        const { version, epoch } = await sound.addEntries(session, kept)
        return { version, epoch }
      },
    }),
  },
  {
    name: 'state-is-never-cut',
    breaks: ['records.4'],
    story: 'The option is accepted and ignored. Every page reads ten thousand records.',
    store: (sound) => ({
      async trim(session, options) {
        const isCut = options?.records === 'cut' && options.operationId === undefined
        return sound.trim(session, isCut ? { ...options, records: 'keep' } : options)
      },
    }),
  },
]
