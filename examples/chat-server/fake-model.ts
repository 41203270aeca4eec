import { type ChatMessage, textOf } from './chat-message.ts'
import type { ToolCall } from './tools.ts'

/** What the model streams: some text, or a call of a tool that it wants the result of. */
export type ModelPiece = { readonly type: 'text'; readonly text: string } | ({ readonly type: 'tool' } & ToolCall)

const openings = ['Sure.', 'Gladly.', 'Of course.', 'Here you are.']

/** Answers a conversation. `take` counts the calls: like a real model, it does not say the same twice. */
export function* fakeAnswer(messages: readonly ChatMessage[], take: number): Generator<ModelPiece> {
  const answer = messages.at(-1)
  const question = messages.findLast(({ role }) => role === 'user')
  const asked = question === undefined ? '' : textOf(question)
  const result = answer?.role === 'assistant' ? resultText(answer) : undefined
  const call = result === undefined ? toolFor(asked) : undefined
  if (call !== undefined) {
    yield { type: 'tool', ...call }
    return
  }
  const text = `${openings[take % openings.length]} ${result ?? reply(messages, asked)} (That was call ${take} of the model.)`
  for (const word of text.match(/\S+\s*/g) ?? []) yield { type: 'text', text: word }
}

/** Shortens turns to one line for each of the user's messages. An earlier summary stays in front. */
export function fakeSummary(messages: readonly ChatMessage[]): string {
  const lines = messages.flatMap((message) => {
    if (message.role === 'system') return [textOf(message)]
    return message.role === 'user' ? [`The user wrote: ${textOf(message).slice(0, 80)}`] : []
  })
  return lines.join('\n').slice(0, 1000)
}

function toolFor(asked: string): ToolCall | undefined {
  const city = /weather in (\p{L}+)/iu.exec(asked)?.[1]
  if (city !== undefined) return { name: 'weather', input: { city } }
  const number = /order (\d{1,9})/i.exec(asked)?.[1]
  if (number !== undefined) return { name: 'order', input: { number: Number(number) } }
  return undefined
}

function resultText(answer: ChatMessage): string | undefined {
  for (const part of answer.parts) {
    if (part.type === 'tool-weather' && part.state === 'output-available') {
      return `It is ${part.output.sky} in ${part.output.city}, at ${part.output.degrees} degrees.`
    }
    if (part.type === 'tool-order' && part.state === 'output-available') {
      return `Order ${part.output.number} arrives ${part.output.arrives}.`
    }
  }
  return undefined
}

function reply(messages: readonly ChatMessage[], asked: string): string {
  if (/my name\?/i.test(asked)) {
    const name = messages.map((message) => /my name is (\p{L}+)/iu.exec(textOf(message))?.[1]).findLast(Boolean)
    return name === undefined ? 'You did not tell me your name.' : `Your name is ${name}.`
  }
  const words = asked.split(/\s+/).length
  return `You wrote ${words} ${words === 1 ? 'word' : 'words'}, and I saw ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}. Ask me for the weather in Paris, for order 1001, or for your name.`
}
