import type { ChatMessage } from './chat-message.ts'
import type { ModelPiece } from './fake-model.ts'

/** Streams the model's answer to a conversation, piece by piece. */
export async function* askModel(
  url: string,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  const response = await call(`${url}/answer`, messages, signal)
  if (response.body === null) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ModelPiece
  }
}

export async function askForSummary(url: string, messages: readonly ChatMessage[]): Promise<string> {
  return (await (await call(`${url}/summary`, messages)).json()) as string
}

async function call(url: string, messages: readonly ChatMessage[], signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(messages), signal: signal ?? null })
  if (!response.ok) throw new Error(`the model answered with status ${response.status}`)
  return response
}
