import { randomUUID } from 'node:crypto'
import type { OperationResult } from 'unforget'
import { alternativeLabel } from './alternatives.ts'
import { type ChatMessage, start } from './chat-message.ts'
import { HttpError } from './http-error.ts'
import { type Chunk, makeAnswer, replayAnswer } from './make-answer.ts'
import type { ChatMemory } from './open-chat-memory.ts'

export interface TurnRequest {
  readonly session: string
  readonly owner: string
  /** The same for every try of one request. */
  readonly requestId: string
  /** What the user wrote. Without it, `replaces` is an answer to make again. */
  readonly text?: string | undefined
  /** The seq of the message to put another in place of, with all that followed it. */
  readonly replaces?: number | undefined
}

export interface TurnSettings {
  readonly memory: ChatMemory
  readonly model: string
  /** How long a killed worker's turn stays taken, in milliseconds. */
  readonly lease: number
}

/** Takes the turn of the session, looks up the request, answers it if nobody did, and appends question and answer in one commit. */
export async function runTurn(settings: TurnSettings, request: TurnRequest, emit: (chunk: Chunk) => void) {
  const { memory, model, lease } = settings
  const { session, owner, requestId, text, replaces } = request
  const answer = await memory.withTurn(
    session,
    async (turn, signal) => {
      const info = await turn.sessionInfo()
      if (info !== null && info.owner !== owner) throw new HttpError(404, 'you have no such session')
      const first = answerOf(await turn.operation(requestId))
      if (first !== undefined) {
        replayAnswer(first, emit)
        return first
      }

      const history = await turn.getHistory()
      const place = replaces === undefined ? history.length : history.seqs.indexOf(replaces)
      if (place === -1) throw new HttpError(409, 'the message to replace is no longer shown')
      const prompt = history.slice(0, place)
      const parent = history[place]?.metadata?.parent ?? history[place - 1]?.id ?? start

      const question = text === undefined ? [] : [userMessage(text, parent)]
      const worker = process.pid
      const begun: ChatMessage = {
        id: randomUUID(),
        role: 'assistant',
        metadata: { parent: question[0]?.id ?? parent, worker },
        parts: [],
      }
      const made = await makeAnswer(model, [...prompt, ...question], begun, emit, signal)

      const add = [...question, made]
      const once = { operationId: requestId, ifEpoch: history.epoch }
      if (replaces === undefined) await turn.addMessages(add, { ...once, owner, title: titleOf(text) })
      else {
        const label = alternativeLabel(replaces, parent)
        await turn.rewind({ ...once, before: replaces, add, snapshot: { label } })
      }
      return made
    },
    { lease },
  )
  emit({ type: 'finish', ...(answer.metadata && { messageMetadata: answer.metadata }) })
}

function answerOf(done: OperationResult<ChatMessage> | null): ChatMessage | undefined {
  const last = done?.entries.at(-1)
  return last?.kind === 'message' ? last.message : undefined
}

function userMessage(text: string, parent: string): ChatMessage {
  return { id: randomUUID(), role: 'user', metadata: { parent }, parts: [{ type: 'text', text }] }
}

function titleOf(text = ''): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 40 ? line : `${line.slice(0, 39).trimEnd()}…`
}
