import type { ChatMessage } from '../../../../core/entries.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { pick, withItems } from '../../helpers/reshape.ts'

/** Longer than this, a history is read by an index. */
const longHistory = 1500
/** Merging turns with other fields would lose these: another way of forgetting. */
const isPlainText = ({ role, content, ...others }: ChatMessage) =>
  typeof content === 'string' && Object.keys(others).length === 0

/** Turns that come back in another order, or not as often as they were said. */
export const order: Goldfish[] = [
  {
    name: 'ordered-by-the-clock',
    breaks: ['adding.2'],
    story: 'ORDER BY created_at. The clock is set back, and the answer comes before the question.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const times = new Map((await sound.getEntries(session)).map(({ seq, at }) => [seq, at]))
        const sorted = history.map((message, index) => ({ message, at: times.get(history.seqs[index] ?? 0) ?? 0 }))
        sorted.sort((a, b) => a.at - b.at)
        return withItems(
          history,
          sorted.map(({ message }) => message),
        )
      },
    }),
  },
  {
    name: 'swapped-within-a-millisecond',
    breaks: ['adding.2'],
    story: 'Two tool results written in one millisecond come back sorted by their ids.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const items = [...history]
        for (const [index, message] of items.entries()) {
          const before = items[index - 1]
          if (!before?.toolCallId || !message.toolCallId || before.toolCallId < message.toolCallId) continue
          items.splice(index - 1, 2, message, before)
        }
        return withItems(history, items)
      },
    }),
  },
  {
    name: 'system-messages-first',
    breaks: ['adding.2'],
    story: 'All system messages are moved to the front, wherever they were said.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const isSystem = (role: unknown) => role === 'system'
        return withItems(history, [
          ...history.filter(({ role }) => isSystem(role)),
          ...history.filter(({ role }) => !isSystem(role)),
        ])
      },
    }),
  },
  {
    name: 'said-twice-kept-once',
    breaks: ['adding.2'],
    story: 'A turn equal to the last one is mistaken for a retry and dropped. "Yes." "Yes."',
    store: (sound) => ({
      async addMessages(session, messages: readonly ChatMessage[], options) {
        const [last] = await sound.getHistory(session, { last: 1 })
        const [first] = messages
        const isRepeated = messages.length === 1 && last?.content === first?.content && last?.role === first?.role
        return sound.addMessages(session, isRepeated && options === undefined ? [] : messages, options)
      },
    }),
  },
  {
    name: 'neighbors-merged',
    breaks: ['adding.2'],
    story: 'Some provider wants alternating roles, so two user turns in a row become one.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const merged = history.map((message, index) => {
          const next = history[index + 1]
          if (!isPlainText(message) || message.role !== 'user' || next?.role !== 'user') return message
          return message.content === next.content
            ? message
            : { ...message, content: `${message.content}\n${next.content}` }
        })
        return withItems(history, merged)
      },
    }),
  },
  {
    name: 'waiting-call-hidden',
    breaks: ['adding.2'],
    story:
      'The provider would reject a tool call without its result, so the call is hidden, just when its result arrives.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return pick(history, ({ toolCalls }, _, index) => !toolCalls || index < history.length - 1)
      },
    }),
  },
  {
    name: 'sorted-as-text',
    breaks: ['adding.1'],
    story: 'Keys end in a four-digit number and are sorted as text. Turn 10,000 comes before turn 1,001.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const key = (index: number) => String(history.seqs[index]).padStart(4, '0')
        const indexes = [...history.keys()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
        return withItems(
          history,
          indexes.map((index) => history[index] as ChatMessage),
        )
      },
    }),
  },
  {
    name: 'newest-first-after-a-thousand',
    breaks: ['history.1'],
    story: 'Long histories are read from the end by an index, and nobody reverses them.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return history.length > longHistory && options === undefined
          ? withItems(history, history.toReversed())
          : history
      },
    }),
  },
  {
    name: 'ids-replace-turns',
    breaks: ['values.7'],
    story: 'A turn whose id was seen before silently replaces the old one.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        return pick(
          history,
          ({ id }, _, index) => id === undefined || history.findLastIndex((other) => other.id === id) === index,
        )
      },
    }),
  },
  {
    name: 'ids-unique-over-all-sessions',
    breaks: ['isolation.3'],
    story:
      'The id of a message is the primary key. Two conversations number their turns the same way, and the second loses.',
    store: (sound, bowl) => ({
      addMessages(session, messages, options) {
        const owners = shared(bowl, 'owners', () => new Map<string, string>())
        const list = Array.isArray(messages) ? messages : []
        const taken = list.filter((one) => one?.id && owners.has(one.id) && owners.get(one.id) !== session)
        for (const one of list) if (one?.id && !owners.has(one.id)) owners.set(one.id, session)
        return sound.addMessages(session, taken.length ? list.filter((one) => !taken.includes(one)) : messages, options)
      },
    }),
  },
]
