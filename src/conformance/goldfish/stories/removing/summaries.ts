import type { Backend, Change } from '../../../../core/backend.ts'
import { countEntries, type PathPlan, splitTail } from '../../../../core/path.ts'
import type { Goldfish } from '../../goldfish.ts'
import { soon, withItems } from '../../helpers/reshape.ts'
import { summarizing } from '../../helpers/summarizing.ts'

/** Only where more than a handful of turns stay: in the cases of the other clauses, fewer do. */
const isMoreThanAHandful = (entries: readonly unknown[]) => entries.length > 3

const isSummary = (range: PathPlan[number]) => range[0] === 'appended'

/** A compaction with a bad new path. */
function compacting(change: (path: PathPlan, whole: Change, sound: Backend, session: string) => Promise<PathPlan>) {
  return (sound: Backend): Partial<Backend> => ({
    async commit(session, given, deadline) {
      const isCompaction = given.append?.[0]?.kind === 'compaction' && given.path !== undefined
      if (!isCompaction) return sound.commit(session, given, deadline)
      const plan = await change(given.path.plan, given, sound, session)
      return sound.commit(session, { ...given, path: { cause: given.path.cause, plan } }, deadline)
    },
  })
}

export const summaries: Goldfish[] = [
  {
    name: 'summary-before-the-rules',
    breaks: ['compaction.1'],
    story: 'The summary is put at the very front, so the system prompt no longer comes first.',
    backend: compacting(async (path) => [...path.filter(isSummary), ...path.filter((range) => !isSummary(range))]),
  },
  {
    name: 'summary-at-the-end',
    breaks: ['compaction.1'],
    story: 'The summary is appended like any entry, and the past comes after the present.',
    backend: compacting(async (path) => [
      ...path.filter((range) => !isSummary(range) && range[1] !== null),
      ...path.filter((range) => isSummary(range) || range[1] === null),
    ]),
  },
  {
    name: 'compaction-drops-the-embedding',
    breaks: ['compaction.1', 'recall.4'],
    story: 'Only the text of what summarize returns is kept. Nobody will ever recall it.',
    store: summarizing(async (summarize, turns) => {
      const made = await summarize(turns)
      return made !== null && typeof made === 'object' && made.embedding?.length ? { text: String(made['text']) } : made
    }),
  },
  {
    name: 'compaction-forgets-the-summary-before',
    breaks: ['compaction.1'],
    story: 'The second compaction summarizes the turns since the first, and replaces both with that.',
    store: summarizing((summarize, turns) => summarize(turns.filter(({ role }) => role !== 'system'))),
  },
  {
    name: 'compaction-takes-notes-along',
    breaks: ['compaction.1'],
    story: 'Summaries that were added by hand, to keep forever, are removed with the turns around them.',
    backend: compacting(async (path, _, sound, session) => {
      const { summaries: found } = await sound.read(session, { summariesAfter: 0 }, soon())
      const byHand = new Set(found.filter(({ kind }) => kind === 'summary').map(({ seq }) => seq))
      return path.filter(([from, to]) => !(from === to && byHand.has(Number(from))))
    }),
  },
  {
    name: 'compaction-loses-what-came-meanwhile',
    breaks: ['compaction.2'],
    story:
      'While the model writes the summary, the user keeps talking. Then the list is replaced by the summary and the old tail.',
    backend: compacting(async (path) => path.filter(([, to]) => to !== 'end')),
  },
  {
    name: 'two-summaries-the-older-wins',
    breaks: ['compaction.3'],
    story:
      'Two workers compact at once, and neither checks whether the other was faster. Both summaries stay and tell the same story twice.',
    races: 'compaction.3/two-compactions-at-once',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { ifPath, ...rest } = change
        return sound.commit(session, change.append?.[0]?.kind === 'compaction' ? rest : change, deadline)
      },
    }),
  },
  {
    name: 'loser-pays-for-another-summary',
    breaks: ['compaction.3'],
    story: 'The loser of the race asks the model again, about turns that are already compacted.',
    store: (sound) => ({
      async compact(session, options) {
        let asked: Parameters<typeof options.summarize>[0] | undefined
        const summarize: typeof options.summarize = (turns) => {
          asked = turns
          return options.summarize(turns)
        }
        const result = await sound.compact(session, { ...options, summarize })
        if (result.seq === null && asked !== undefined) await options.summarize(asked)
        return result
      },
    }),
  },
  {
    name: 'summary-of-what-was-rolled-back',
    breaks: ['compaction.3'],
    story:
      'After a conflict, the existing summary is reused, although it covers turns that were rolled back meanwhile.',
    store: (sound) => ({
      async compact(session, options) {
        let made: ReturnType<typeof options.summarize> | undefined
        return sound.compact(session, {
          ...options,
          summarize: (turns) => {
            made ??= options.summarize(turns)
            return made
          },
        })
      },
    }),
  },
  {
    name: 'placeholder-instead-of-a-summary',
    breaks: ['compaction.4'],
    story: 'The model is down. The turns are replaced by "[conversation summarized]", and the summary is never made.',
    store: summarizing(async (summarize, turns) => {
      try {
        return await summarize(turns)
      } catch {
        return '[conversation summarized]'
      }
    }),
  },
  {
    name: 'no-summary-is-an-empty-one',
    breaks: ['compaction.4'],
    story: 'summarize returned nothing, so nothing replaces the old turns.',
    store: summarizing(async (summarize, turns) => (await summarize(turns)) ?? ''),
  },
  {
    name: 'compaction-parts-a-call-from-its-result',
    breaks: ['compaction.5'],
    story: 'Exactly `keep` messages stay, and the first one answers a call that is gone. Every later turn gets a 400.',
    backend: compacting(async (path, _, sound, session) => {
      const at = path.findIndex(isSummary)
      const closed = path.slice(at + 1).filter((range): range is [number, number] => typeof range[1] === 'number')
      const { state, entries } = await sound.read(session, { ranges: closed }, soon())
      const isCut = isMoreThanAHandful(entries) && entries[0]?.body.includes('toolCalls') === true
      if (state === null || !isCut) return path
      const kept = splitTail(closed, countEntries(closed) - 1)[1]
      return [...path.slice(0, at + 1), ...kept, ...path.slice(at + 1 + closed.length)]
    }),
  },
  {
    name: 'tokens-counted-as-messages',
    breaks: ['compaction.7'],
    story: '`keepTokens` is used as `keep`: that many messages stay, however long they are.',
    store: (sound) => ({
      compact(session, options) {
        const { keepTokens, countTokens, keep, ...rest } = options
        const isSound = !keepTokens || !countTokens || keepTokens < 1 || keep !== undefined
        return sound.compact(
          session,
          isSound ? options : { ...rest, keep: Math.floor(keepTokens), countTokens: undefined },
        )
      },
    }),
  },
  {
    name: 'one-limit-of-two',
    breaks: ['compaction.7'],
    story: 'With `keep` and `keepTokens`, only the number of messages is checked.',
    store: (sound) => ({
      compact(session, options) {
        const { keepTokens, countTokens, ...rest } = options
        return sound.compact(session, keepTokens && countTokens && rest.keep ? rest : options)
      },
    }),
  },
  {
    name: 'rules-use-up-the-tokens',
    breaks: ['compaction.7'],
    story: 'The system prompt counts against the tokens to keep, so less of the conversation stays.',
    store: (sound) => ({
      async compact(session, options) {
        const { keepTokens, countTokens } = options
        const [first] = await sound.getHistory(session, { first: 1 })
        const isCounted = keepTokens !== undefined && countTokens !== undefined && first?.role === 'system'
        if (!isCounted) return sound.compact(session, options)
        const left = keepTokens - Math.max(0, countTokens(first))
        return sound.compact(session, left > 0 ? { ...options, keepTokens: left } : options)
      },
    }),
  },
  {
    name: 'role-of-the-summary-forgotten',
    breaks: ['compaction.8'],
    story: 'Only the handle that compacted knows the role. Every other handle shows a system message among the turns.',
    store: (sound) => {
      const compacted = new Set<string>()
      return {
        async compact(session, options) {
          const result = await sound.compact(session, options)
          if (options.summaryRole === 'user') compacted.add(session)
          return result
        },
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          if (compacted.has(session)) return history
          const summaries = await sound.getEntries(session, { kinds: ['summary'], at: options?.at })
          const seqs = new Set(summaries.map(({ seq }) => seq))
          return withItems(
            history,
            history.map((item, index) => (seqs.has(history.seqs[index] ?? 0) ? { ...item, role: 'system' } : item)),
          )
        },
      }
    },
  },
  {
    name: 'summarizer-sees-another-summary',
    breaks: ['compaction.9'],
    story: 'The history shows summaries through summaryMessage. The next summary is made from the raw text instead.',
    store: summarizing((summarize, turns) =>
      summarize(
        turns.map((one) => {
          const { content } = one
          const shown = typeof content === 'string' ? /^<(.*) of [\d,]+>$/.exec(content)?.[1] : undefined
          return shown === undefined ? one : { ...one, content: shown }
        }),
      ),
    ),
  },
  {
    name: 'compaction-survives-the-rollback',
    breaks: ['compaction.6'],
    story: 'The old turns are deleted once the summary is stored. A rollback brings back the summary, not the turns.',
    store: (sound, { shared }) => ({
      async compact(session, options) {
        const result = await sound.compact(session, options)
        const [first] = (await sound.getEntries(session, { kinds: ['summary'] })).filter(
          ({ seq }) => seq === result.seq,
        )
        if (first?.kind === 'summary') shared.set(session, { keep: options.keep, text: first.summary.text })
        return result
      },
      async rollbackToSnapshot(session, id, options) {
        const result = await sound.rollbackToSnapshot(session, id, options)
        const last = shared.get(session) as { keep: number; text: string } | undefined
        if (!last || options?.operationId || options?.ifVersion) return result
        return { ...result, ...(await sound.compact(session, { keep: last.keep, summarize: () => last.text })) }
      },
    }),
  },
]
