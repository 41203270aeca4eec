import type { ChatMessage } from '../../../../core/entries.ts'
import type { Goldfish } from '../../goldfish.ts'
import { pick } from '../../helpers/reshape.ts'

/** How far back the search for a call goes. */
const farthest = 100

/** The ids of its calls that nothing after it answers. */
function waitingOf(messages: readonly ChatMessage[], index: number): string[] {
  const answered = new Set(messages.slice(index + 1).map(({ toolCallId }) => toolCallId))
  return (messages[index]?.toolCalls ?? []).map(({ id }) => id).filter((id) => !answered.has(id))
}

/** Cuts at a place that is wrong only for what is seldom said. */
export const cuts: Goldfish[] = [
  {
    name: 'a-view-with-three-wishes-forgets-the-tokens',
    breaks: ['trimming.1'],
    story:
      'At most 20 messages, at most 2,000 tokens, and a user first: the view holds two of the three, and trim all.',
    store: (sound) => ({
      getHistory(session, options) {
        const { maxEntries, maxTokens, startOn } = options ?? {}
        if (!(maxEntries && maxTokens && startOn)) return sound.getHistory(session, options)
        return sound.getHistory(session, { ...options, maxTokens: undefined, countTokens: undefined })
      },
    }),
  },
  {
    name: 'only-the-newest-call-waits',
    breaks: ['trimming.5'],
    story:
      'Two tools are still at work. The view keeps the one that was called last, and the other finds no call to answer.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        if (options?.maxEntries === undefined) return view
        const isWaiting = (_: ChatMessage, index: number) => waitingOf(view, index).length > 0
        const newest = view.findLastIndex(isWaiting)
        return view.findIndex(isWaiting) === 0 && newest > 0 ? pick(view, (_, __, index) => index >= newest) : view
      },
    }),
  },
  {
    name: 'a-result-too-far-from-its-call',
    breaks: ['trimming.3'],
    story: 'The search for the call of a result stops after 100 messages. A result that took longer stays alone.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        const { maxEntries, startOn, keepSystem } = options ?? {}
        const isPlain = maxEntries !== undefined && !startOn && !keepSystem
        if (!isPlain || !view.overBudget || view.length <= farthest) return view
        return pick(view, (_, __, index) => index >= view.length - maxEntries)
      },
    }),
  },
  {
    name: 'the-old-summary-counts-as-kept',
    breaks: ['compaction.7'],
    story: 'The second compaction counts the first summary among the turns to keep, so each time one turn less stays.',
    store: (sound) => ({
      async compact(session, options) {
        const { keep = 0 } = options
        const summaries = keep > 1 ? await sound.getEntries(session, { kinds: ['summary'] }) : []
        const isSecond = summaries.some((entry) => entry.kind === 'summary' && entry.standsIn)
        return sound.compact(session, isSecond ? { ...options, keep: keep - 1 } : options)
      },
    }),
  },
]
