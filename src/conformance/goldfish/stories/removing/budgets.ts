import type { ChatMessage } from '../../../../core/entries.ts'
import type { TrimBudget } from '../../../../core/trim-budget.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { lost, pick, showsWhatIsLeft, withItems } from '../../helpers/reshape.ts'

/** Entries read at once. */
const oneRead = 1000
/** A call and one turn after it: nothing but a call that is still running. */
const callAndOneTurn = 2
/** Turns in the view that the case compares with a trim. Everywhere else the fence is right. */
const comparedTurns = 10

const isViewed = (options: TrimBudget | undefined) => Boolean(options?.maxEntries || options?.maxTokens)

const isValidStart = (options: TrimBudget | undefined): options is TrimBudget =>
  options?.startOn === 'user' && isViewed(options)

/** Budgets that are counted wrong, and cuts that remove too much. */
export const budgets: Goldfish[] = [
  {
    name: 'rules-cut-for-good',
    breaks: ['trimming.2'],
    story: 'The view keeps the system prompt, but the trim does not. After a long day, the agent has lost its rules.',
    store: (sound) => ({
      trim: (session, options) =>
        sound.trim(session, options?.keepSystem && !options.maxTokens ? { ...options, keepSystem: false } : options),
    }),
  },
  {
    name: 'rules-beyond-one-read',
    breaks: ['trimming.2'],
    story: 'The view reads the newest thousand entries. The system prompt of a long conversation is not among them.',
    store: (sound) => ({
      async getHistory(session, options) {
        const isLong = options?.keepSystem === true && (await sound.getHistory(session)).length > oneRead
        return sound.getHistory(session, isLong ? { ...options, keepSystem: false } : options)
      },
    }),
  },
  {
    name: 'rules-not-counted',
    breaks: ['trimming.2'],
    story: 'System messages are added to the newest n, so the context is too long by that many.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        if (!options?.keepSystem || !options.maxEntries || options.maxTokens) return view
        const lead = view.findIndex(({ role }) => role !== 'system')
        return sound.getHistory(session, { ...options, maxEntries: options.maxEntries + Math.max(0, lead) })
      },
    }),
  },
  {
    name: 'developer-is-nobody',
    breaks: ['trimming.2'],
    story: 'OpenAI renamed the system role. Rules in a developer message are cut like any other turn.',
    store: (sound) => ({
      async trim(session, options) {
        const [first] = await sound.getHistory(session, { first: 1 })
        const isForgotten = options?.keepSystem && first?.role === 'developer'
        return sound.trim(session, isForgotten ? { ...options, keepSystem: false } : options)
      },
    }),
  },
  {
    name: 'begins-with-the-assistant',
    breaks: ['trimming.9'],
    story: '`startOn` is honored by the view, but the trim cuts where it likes. The provider rejects the next turn.',
    store: (sound) => ({
      trim(session, options) {
        const { startOn: _, ...rest } = options ?? {}
        return sound.trim(session, isValidStart(options) ? rest : options)
      },
    }),
  },
  {
    name: 'result-taken-for-the-user',
    breaks: ['trimming.9'],
    story: "The view begins with the first message whose role is `user`. It is one of Anthropic's tool results.",
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        if (!isValidStart(options)) return view
        const { startOn: _, ...rest } = options
        const whole = await sound.getHistory(session, rest)
        const [first] = whole
        return Array.isArray(first?.content) && first.role === 'user' ? whole : view
      },
    }),
  },
  {
    name: 'user-looked-for-in-one-read',
    breaks: ['trimming.9'],
    story: 'The last user message is looked for among the newest thousand. An agent worked alone for longer than that.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        return isValidStart(options) && view.length > oneRead ? pick(view, (_, __, index) => index >= oneRead) : view
      },
    }),
  },
  {
    name: 'too-large-a-turn-dropped',
    breaks: ['trimming.4'],
    story: 'The newest turn alone is larger than the budget, so the view is empty and the model is asked nothing.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        return view.overBudget && options?.maxTokens ? withItems(view, [], []) : view
      },
    }),
  },
  {
    name: 'over-budget-and-not-told',
    breaks: ['trimming.4'],
    story: 'A group that exceeds the budget is kept, but not flagged.',
    store: (sound) => ({
      trim: async (session, options) => ({ ...(await sound.trim(session, options)), overBudget: false }),
    }),
  },
  {
    name: 'running-call-cut-off',
    breaks: ['trimming.5'],
    story: 'A trim while the tool is running removes its call. The result has nowhere to go.',
    store: (sound, bowl) => ({
      ...showsWhatIsLeft(sound, bowl),
      async trim(session, options) {
        const trimmed = await sound.trim(session, options)
        const { seqs, length } = await sound.getHistory(session)
        if (trimmed.overBudget && length === callAndOneTurn)
          for (const seq of seqs.slice(0, -1)) lost(bowl, session).add(seq)
        return trimmed
      },
    }),
  },
  {
    name: 'abandoned-call-blocks-the-trim',
    breaks: ['trimming.5'],
    story: 'The trim waits forever for a call that never got its result, and nothing is trimmed anymore.',
    store: (sound) => ({
      async trim(session, options) {
        const history = await sound.getHistory(session)
        const answered = new Set(history.map(({ toolCallId }) => toolCallId))
        const waits = history[0]?.toolCalls?.some(({ id }) => !answered.has(id)) ?? false
        return sound.trim(session, waits && options?.maxEntries ? { ...options, maxEntries: history.length } : options)
      },
    }),
  },
  {
    name: 'tokens-guessed',
    breaks: ['trimming.6'],
    story: "Tokens are estimated as a quarter of the letters, and the caller's own counter is ignored.",
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        if (!options?.countTokens) return history
        const countTokens = ({ content }: ChatMessage) => Math.ceil(String(content).length / 4)
        return sound.getHistory(session, { ...options, countTokens })
      },
    }),
  },
  {
    name: 'one-budget-of-two',
    breaks: ['trimming.6'],
    story: 'With both budgets, only the tokens are checked.',
    store: (sound) => ({
      async getHistory(session, options) {
        if (options?.maxTokens && options.countTokens) {
          const { maxEntries: _, ...rest } = options
          return sound.getHistory(session, rest)
        }
        return sound.getHistory(session, options)
      },
    }),
  },
  {
    name: 'summaries-cost-nothing',
    breaks: ['trimming.6'],
    story: 'The summary is put before the view without being counted, and the context overflows by that much.',
    store: (sound) => ({
      async getHistory(session, options) {
        const { maxTokens, countTokens } = options ?? {}
        if (!maxTokens || !countTokens) return sound.getHistory(session, options)
        await sound.getHistory(session, options)
        const entries = await sound.getEntries(session, { kinds: ['summary'] })
        const standing = entries.flatMap((one) => (one.kind === 'summary' && one.standsIn ? [one.summary.text] : []))
        const extra = standing.reduce((sum, content) => sum + countTokens({ role: 'system', content }), 0)
        return sound.getHistory(session, { ...options, maxTokens: maxTokens + extra })
      },
    }),
  },
  {
    name: 'records-outlive-their-turns',
    breaks: ['trimming.7'],
    story: 'Messages are cut, but the tool-call records between them stay forever.',
    store: (sound, bowl) => ({
      async trim(session, options) {
        const cut = shared(bowl, 'cut', () => new Map<string, Awaited<ReturnType<typeof sound.getEntries>>>())
        if (options?.maxEntries) cut.set(session, await sound.getEntries(session, { kinds: ['toolCall'] }))
        return sound.trim(session, options)
      },
      async getEntries(session, options) {
        const entries = await sound.getEntries(session, options)
        const cut = shared(bowl, 'cut', () => new Map<string, typeof entries>()).get(session) ?? []
        const seqs = new Set(entries.map(({ seq }) => seq))
        if (options === undefined) entries.unshift(...cut.filter(({ seq }) => !seqs.has(seq)))
        return entries
      },
    }),
  },
  {
    name: 'view-and-trim-disagree',
    breaks: ['trimming.1'],
    story: 'The view keeps one turn less than the trim: a fencepost error.',
    store: (sound) => ({
      async getHistory(session, options) {
        const view = await sound.getHistory(session, options)
        const isCut = isViewed(options) && view.length === comparedTurns
        return isCut ? pick(view, (_, __, index) => index > 0) : view
      },
    }),
  },
]
