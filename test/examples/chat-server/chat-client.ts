import { readUIMessageStream, type UIMessageChunk } from 'ai'
import type { ChatMessage } from '../../../examples/chat-server/chat-message.ts'
import type { ShownMessage } from '../../../examples/chat-server/conversation.ts'

interface Turn {
  readonly requestId: string
  readonly text?: string
  readonly replaces?: number
}

export interface Answer {
  readonly worker: number
  readonly message: ChatMessage
}

/** What a browser does, as one user. Every request takes a connection of its own, so the workers take them in turn. */
export class ChatClient {
  readonly #url: string
  readonly #user: string

  constructor(url: string, user: string) {
    this.#url = url
    this.#user = user
  }

  call(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const headers = { 'x-user': this.#user, connection: 'close' }
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return fetch(`${this.#url}${path}`, { headers, ...post, signal: signal ?? null })
  }

  turn(session: string, turn: Turn, signal?: AbortSignal): Promise<Response> {
    return this.call(`/api/sessions/${session}/turns`, turn, signal)
  }

  async ask(session: string, turn: Turn): Promise<Answer> {
    return readAnswer(await this.turn(session, turn))
  }

  async conversation(session: string, query = ''): Promise<ShownMessage[]> {
    return (await this.#json<{ messages: ShownMessage[] }>(`/api/sessions/${session}${query}`)).messages
  }

  async sidebar(): Promise<{ id: string; title: string }[]> {
    return (await this.#json<{ sessions: { id: string; title: string }[] }>('/api/sessions')).sessions
  }

  async #json<T>(path: string): Promise<T> {
    const response = await this.call(path)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

/** Reads a streamed answer with the AI SDK's own reader. */
export async function readAnswer(response: Response): Promise<Answer> {
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
  const types: string[] = []
  const chunks = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(eventParser(types))
  let message: ChatMessage | undefined
  for await (const state of readUIMessageStream<ChatMessage>({ stream: chunks, terminateOnError: true }))
    message = state
  if (message === undefined || types.at(-1) !== 'finish') throw new Error('the answer was cut off')
  return { worker: Number(response.headers.get('x-worker')), message }
}

function eventParser(types: string[]): TransformStream<string, UIMessageChunk> {
  let rest = ''
  return new TransformStream({
    transform(text, controller) {
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event.slice('data: '.length)
        if (data === '[DONE]') continue
        const chunk = JSON.parse(data) as UIMessageChunk
        types.push(chunk.type)
        controller.enqueue(chunk)
      }
    },
  })
}
