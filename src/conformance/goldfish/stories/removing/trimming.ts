import type { ChatMessage } from '../../../../core/entries.ts'
import type { HistoryOptions, TrimOptions } from '../../../../core/types.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { lost, showsWhatIsLeft } from '../../helpers/reshape.ts'

/** Turns on a page. A trim to one less ends where two pages meet. */
const page = 100
/** Turns removed at once. */
const oneSlice = 1000
/** A limit that no case but the one of this clause asks for, as a second trim that is wider than the first. */
const wide = 4000
/** The seqs that the case has used when it clears. The turns it adds next are the hidden ones. */
const seqsBeforeTheClear = 1208
/** Trimmed to a single turn, as the case does before it goes on writing; not the repeated trims of other cases. */
const isTrimToOne = (options: TrimOptions | undefined) => options?.maxEntries === 1 && !options.operationId

/** A trim that keeps the newest turns, with its start moved by `start`. */
function ownTrim(start: (history: readonly ChatMessage[], from: number) => number): NonNullable<Goldfish['store']> {
  return (sound, bowl) => ({
    ...showsWhatIsLeft(sound, bowl),
    async trim(session, options) {
      const history = await sound.getHistory(session)
      const gone = lost(bowl, session)
      const { maxEntries } = options ?? {}
      const calls = history.some((one) => one.toolCalls)
      if (!calls || maxEntries === undefined || options.keepSystem) return sound.trim(session, options)
      const from = start(history, Math.max(0, history.length - maxEntries))
      for (const seq of history.seqs.slice(0, from)) gone.add(seq)
      const { version, epoch } = history
      return { version, epoch, removed: from, overBudget: history.length - from > maxEntries }
    },
  })
}

/** A view that differs from that of the sound store. */
function ownView(
  change: (options: HistoryOptions, history: ChatMessage[]) => HistoryOptions,
): NonNullable<Goldfish['store']> {
  return (sound) => ({
    async getHistory(session, options) {
      if (!(options && (options.maxEntries || options.maxTokens))) return sound.getHistory(session, options)
      await sound.getHistory(session, options)
      return sound.getHistory(session, change(options, await sound.getHistory(session, { at: options.at })))
    },
  })
}

const isResult = (message: ChatMessage | undefined) => message?.toolCallId !== undefined

/** Cuts at the wrong place. */
export const trimming: Goldfish[] = [
  {
    name: 'trim-deletes-the-newest',
    breaks: ['trimming.1'],
    story: '"Keep the last 10" sorts the wrong way and deletes what was just said.',
    store: (sound) => ({
      async trim(session, options) {
        const history = await sound.getHistory(session)
        const { maxEntries } = options ?? {}
        if (!maxEntries || maxEntries >= history.length || Object.keys(options).length > 1)
          return sound.trim(session, options)
        const { version, epoch, removed } = await sound.rewind(session, { to: history.seqs[maxEntries - 1] ?? 0 })
        return { version, epoch, removed: removed.length, overBudget: false }
      },
    }),
  },
  {
    name: 'trim-to-99-keeps-98',
    breaks: ['trimming.1'],
    story: 'Off by one, but only where the pages of 100 meet.',
    store: (sound) => ({
      trim: (session, options) =>
        sound.trim(session, options?.maxEntries === page - 1 ? { ...options, maxEntries: page - 2 } : options),
    }),
  },
  {
    name: 'trim-deletes-a-thousand-at-most',
    breaks: ['trimming.1'],
    story: 'DELETE … LIMIT 1000, once. A conversation that grew very long stays too long.',
    store: (sound) => ({
      async trim(session, options) {
        const { length } = await sound.getHistory(session)
        const { maxEntries } = options ?? {}
        const isTooMuch = maxEntries !== undefined && maxEntries > 0 && length - maxEntries > oneSlice
        return sound.trim(session, isTooMuch ? { ...options, maxEntries: length - oneSlice } : options)
      },
    }),
  },
  {
    name: 'trim-stays-in-force',
    breaks: ['trimming.1'],
    story: 'The limit of a trim is remembered, and every later write trims again.',
    store: (sound) => {
      const limits = new Map<string, number>()
      return {
        trim(session, options) {
          if (isTrimToOne(options)) limits.set(session, 1)
          return sound.trim(session, options)
        },
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          const maxEntries = limits.get(session)
          if (maxEntries !== undefined && messages.length > 1) await sound.trim(session, { maxEntries })
          return added
        },
      }
    },
  },
  {
    name: 'trim-forgets-to-forget',
    breaks: ['trimming.1'],
    story: 'The trim only sets a window. With a wider one later, turns that were cut permanently are back.',
    store: (sound, bowl) => ({
      async trim(session, options) {
        const windows = shared(bowl, 'windows', () => new Map<string, ChatMessage[]>())
        const before = await sound.getHistory(session)
        const trimmed = await sound.trim(session, options)
        const isWider = options.maxEntries !== undefined && options.maxEntries > wide
        const cut = windows.get(session)
        if (isWider && cut && before.length > 0) await sound.addMessages(session, cut)
        else if (trimmed.removed > 0) windows.set(session, before.slice(0, trimmed.removed))
        return trimmed
      },
    }),
  },
  {
    name: 'trim-keeps-role-and-content',
    breaks: ['trimming.1'],
    story: 'The remaining turns are rewritten by a statement that knows two columns.',
    store: (sound, bowl) => ({
      async trim(session, options) {
        const trimmed = await sound.trim(session, options)
        if (trimmed.removed > 0) shared(bowl, 'trimmed', () => new Set<string>()).add(session)
        return trimmed
      },
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        if (!shared(bowl, 'trimmed', () => new Set<string>()).has(session)) return history
        for (const message of history) delete message.metadata
        return history
      },
    }),
  },
  {
    name: 'clear-leaves-the-cut',
    breaks: ['trimming.1'],
    story:
      'The position of the cut is kept separately from the list. Clearing empties the list, and the first new turns are hidden.',
    store: (sound, bowl) => ({
      ...showsWhatIsLeft(sound, bowl),
      async trim(session, options) {
        const trimmed = await sound.trim(session, options)
        if (trimmed.removed > 0) shared(bowl, 'cuts', () => new Map<string, number>()).set(session, trimmed.removed)
        return trimmed
      },
      async clear(session, options) {
        const cleared = await sound.clear(session, options)
        const cut = shared(bowl, 'cuts', () => new Map<string, number>()).get(session) ?? 0
        for (let seq = 1; seq <= cut; seq++) lost(bowl, session).add(seqsBeforeTheClear + seq)
        return cleared
      },
    }),
  },
  {
    name: 'cut-between-call-and-result',
    breaks: ['trimming.3'],
    story: 'It keeps exactly the newest n. If they start with a tool result, the provider rejects every later turn.',
    store: ownTrim((_, from) => from),
  },
  {
    name: 'one-orphan-removed-of-three',
    breaks: ['trimming.3'],
    story: 'One orphaned result at the beginning is dropped. With parallel calls, there are more.',
    store: ownTrim((history, from) => (isResult(history[from]) ? from + 1 : from)),
  },
  {
    name: 'result-looked-for-by-id-alone',
    breaks: ['trimming.3'],
    story: 'A result stays if its call is anywhere in what is left. But the model has used the same id twice.',
    store: ownTrim((history, from) => {
      const calls = new Set(history.slice(from).flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
      const next = history.findIndex((one, index) => index >= from && (!one.toolCallId || calls.has(one.toolCallId)))
      return next < 0 ? history.length - 1 : next
    }),
  },
  {
    name: 'cut-back-to-the-last-turn',
    breaks: ['trimming.3'],
    story: 'If a cut would separate a call from its result, everything but the newest turn is removed.',
    store: ownTrim((history, from) => (isResult(history[from]) ? history.length - 1 : from)),
  },
  {
    name: 'view-parts-calls-of-other-providers',
    breaks: ['trimming.3'],
    story: "The trimmer knows `toolCalls`. Anthropic's calls inside the content are just text to it.",
    store: ownView((options, history) => {
      const isForeign = history.some(({ content }) => Array.isArray(content) && content[0]?.type === 'tool_result')
      return isForeign ? { last: options.maxEntries } : options
    }),
  },
  {
    name: 'view-parts-what-the-trim-does-not',
    breaks: ['trimming.3', 'trimming.4'],
    story: 'The trim was fixed, but the view that is sent to the model was not.',
    store: ownView((options, history) => {
      const cut = history.length - (options.maxEntries ?? Number.POSITIVE_INFINITY)
      return isResult(history[cut]) && !options.keepSystem ? { last: options.maxEntries, at: options.at } : options
    }),
  },
]
