import type { ChatMessage } from '../../../../core/entries.ts'
import { noId, type Said } from './cut-rules.ts'

/** Numbers that follow from a seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }

  /** A whole number below this one. */
  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * count)
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

const nothing = { calls: [], answers: [], joinsNext: false, tokens: 0 }

type Making = (number: number, ids: readonly string[]) => Omit<Said, 'tokens'>

const says =
  (role: string, speaker: Said['speaker']): Making =>
  (number) => ({ ...nothing, speaker, message: { role, content: `${role} ${number}` } })

/** One tool with these ids, as each provider writes it. */
const calling: readonly Making[] = [
  (number, ids) => ({
    ...nothing,
    speaker: 'assistant',
    calls: ids,
    message: {
      role: 'assistant',
      content: `${number}`,
      toolCalls: ids.map((id) => ({ id, name: 'n', arguments: {} })),
    },
  }),
  (number, ids) => ({
    ...nothing,
    speaker: 'assistant',
    calls: ids,
    message: { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: `${number}`, input: {} })) },
  }),
  (number, ids) => ({
    ...nothing,
    speaker: 'assistant',
    calls: ids,
    message: {
      role: 'model',
      parts: ids.map((id) => ({ functionCall: { ...(id !== noId && { id }), name: `${number}`, args: {} } })),
    },
  }),
]

const answering: readonly Making[] = [
  (number, ids) => ({
    ...nothing,
    speaker: 'other',
    answers: ids.slice(0, 1),
    message: { role: 'tool', toolCallId: ids[0] ?? '', content: `${number}` },
  }),
  (number, ids) => ({
    ...nothing,
    speaker: 'other',
    answers: ids,
    message: {
      role: 'user',
      content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `${number}` })),
    },
  }),
  (number, ids) => ({
    ...nothing,
    speaker: 'other',
    answers: ids,
    message: {
      role: 'user',
      parts: ids.map((id) => ({ functionResponse: { ...(id !== noId && { id }), name: `${number}`, response: {} } })),
    },
  }),
]

const withoutId = answering[2] as Making

const speaking: readonly Making[] = [
  says('user', 'user'),
  says('assistant', 'assistant'),
  says('user', 'user'),
  says('model', 'assistant'),
  says('system', 'system'),
  says('developer', 'system'),
  says('narrator', 'other'),
]

export interface Taste {
  /** How many messages there are at most. */
  readonly length: number
  /** Of ten messages, how many call a tool, and how many bring results. */
  readonly calls: number
  readonly results: number
}

/** A conversation that nobody would think of: results come late, twice, never or without a call. Its messages are numbered from `from`; what
 * comes first may have calls without ids. */
export function randomConversation(dice: Dice, { length, calls, results }: Taste, from = 0): Said[] {
  const made: string[] = []
  const isWithoutIds = from === 0 && dice.below(5) === 0
  const said: Omit<Said, 'tokens'>[] = []
  for (let leading = dice.below(3); leading > 0; leading--)
    said.push(dice.of(speaking.slice(4, 6))(from + said.length, []))
  for (let count = 1 + dice.below(length); count > 0; count--) {
    const number = from + said.length
    const kind = dice.below(10)
    if (kind < calls) {
      const ids = Array.from({ length: 1 + dice.below(2) }, (_, index) => `call ${number}.${index}`)
      const given = isWithoutIds && dice.below(2) === 0 ? [noId] : ids
      said.push(dice.of(isWithoutIds ? calling.slice(-1) : calling)(number, given))
      made.push(...given)
    } else if (kind < calls + results) {
      const ids = [...new Set([dice.of([...made, 'unknown']), dice.of([...made, 'unknown'])])]
      said.push(isWithoutIds ? withoutId(number, [noId]) : dice.of(answering)(number, ids))
    } else if (kind === 9 && count > 1 && dice.below(2) === 0) {
      const message: ChatMessage = { type: 'reasoning', id: `reasoning ${number}`, summary: [] }
      said.push({ ...nothing, speaker: 'other', joinsNext: true, message })
    } else said.push(dice.of(speaking)(number, []))
  }
  return said.map((one) => ({ ...one, tokens: dice.below(5) }))
}
