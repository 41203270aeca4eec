import type { TextUIPart, UIMessageChunk } from 'ai'
import { askModel } from './ask-model.ts'
import type { ChatMessage, ChatMetadata } from './chat-message.ts'
import { type ToolCall, tools } from './tools.ts'

export type Chunk = UIMessageChunk<ChatMetadata>
type Part = ChatMessage['parts'][number]

const mostSteps = 5

/** Asks the model until it wants no more tools, passes on what it says as it comes, and returns the whole answer. */
export async function makeAnswer(
  model: string,
  prompt: readonly ChatMessage[],
  begun: ChatMessage,
  emit: (chunk: Chunk) => void,
  signal: AbortSignal,
): Promise<ChatMessage> {
  const parts: Part[] = [...begun.parts]
  emit({ type: 'start', messageId: begun.id })
  for (let step = 1, calledTool = true; calledTool && step <= mostSteps; step++) {
    calledTool = false
    let text: TextUIPart | undefined
    const soFar = parts.length === 0 ? [] : [{ ...begun, parts }]
    const pieces = askModel(model, [...prompt, ...soFar], signal)
    parts.push({ type: 'step-start' })
    emit({ type: 'start-step' })
    for await (const piece of pieces) {
      if (piece.type === 'tool') {
        calledTool = true
        const part = runTool(`${begun.id}-${step}`, piece)
        parts.push(part)
        for (const chunk of chunksOf(part, '')) emit(chunk)
        continue
      }
      if (text === undefined) {
        text = { type: 'text', text: '', state: 'done' }
        parts.push(text)
        emit({ type: 'text-start', id: `text-${step}` })
      }
      text.text += piece.text
      emit({ type: 'text-delta', id: `text-${step}`, delta: piece.text })
    }
    if (text !== undefined) emit({ type: 'text-end', id: `text-${step}` })
    emit({ type: 'finish-step' })
  }
  return { ...begun, parts }
}

/** Passes on an answer that was made before. */
export function replayAnswer(answer: ChatMessage, emit: (chunk: Chunk) => void): void {
  emit({ type: 'start', messageId: answer.id })
  for (const [index, part] of answer.parts.entries()) {
    for (const chunk of chunksOf(part, `text-${index}`)) emit(chunk)
  }
}

function runTool(toolCallId: string, call: ToolCall): Part {
  const done = { toolCallId, state: 'output-available' } as const
  return call.name === 'weather'
    ? { type: 'tool-weather', ...done, input: call.input, output: tools.weather(call.input) }
    : { type: 'tool-order', ...done, input: call.input, output: tools.order(call.input) }
}

function chunksOf(part: Part, id: string): Chunk[] {
  if (part.type === 'step-start') return [{ type: 'start-step' }]
  if (part.type === 'text') {
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: part.text },
      { type: 'text-end', id },
    ]
  }
  if ((part.type !== 'tool-weather' && part.type !== 'tool-order') || part.state !== 'output-available') return []
  const { toolCallId, input, output } = part
  return [
    { type: 'tool-input-available', toolCallId, toolName: part.type.slice('tool-'.length), input },
    { type: 'tool-output-available', toolCallId, output },
  ]
}
