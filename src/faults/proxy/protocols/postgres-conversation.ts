import { encodeError } from './postgres-errors.ts'
import { type PostgresFrame, PostgresFrames } from './postgres-frames.ts'
import { type PostgresCommand, PostgresRequests } from './postgres-requests.ts'
import { encodeMessage } from './postgres-values.ts'
import type { ClientCommand, Failure, ServerMessage, WireConversation } from './wire-protocol.ts'

interface Awaited {
  readonly command: PostgresCommand
  /** What the client is told in place of how it really ended. */
  readonly error: Buffer | null
  replies: number
}

/** A COMMIT that fails has ended the transaction all the same. */
const commits = new Set(['COMMIT', 'END'])
/** What of the answer to a statement that stands for another is for the client: notifications, settings, and that it may go on. */
const passing = new Set(['A', 'S', 'Z'])

/** What ends the answer to one message of the extended protocol. */
const completions = new Set(['1', '2', '3', 'T', 'n', 'C', 'I', 's'])
const wrong = 'unforget: this is wrong so that it fails here as well, where the fault proxy was told to fail'

export class PostgresConversation implements WireConversation {
  readonly #requests = new PostgresRequests()
  readonly #replies = new PostgresFrames({ from: 'server' })
  readonly #awaited: Awaited[] = []
  #skipsToSync = false

  fromClient(chunk: Buffer): ClientCommand[] {
    return this.#requests.push(chunk)
  }

  forwarded(given: ClientCommand): boolean {
    const command = given as PostgresCommand
    const isSkipped = this.#skipsToSync && !this.#awaited.some((one) => one.command.answer === 'sync')
    if (command.answer === null || (command.answer === 'flush' && isSkipped)) return false
    this.#awaited.push({ command, error: null, replies: command.replies })
    return true
  }

  /** What does not end the connection fails on the server too, so that a transaction is as aborted there as the client is told. */
  failed(given: ClientCommand, reply: string): Failure {
    const command = given as PostgresCommand
    const { bytes, isFatal } = encodeError(reply, command.name)
    const { answer, isExtended, name } = command
    if (isFatal || answer === null || answer === 'startup') return { toClient: bytes, endsConnection: true }
    this.#awaited.push({ command, error: bytes, replies: 1 })
    return { toServer: instead(name, answer, isExtended), endsConnection: false }
  }

  fromServer(chunk: Buffer): ServerMessage[] {
    return joinParts(this.#replies.push(chunk).flatMap((frame) => this.#match(frame)))
  }

  #match(frame: PostgresFrame): ServerMessage[] {
    const { type, bytes } = frame
    const [head] = this.#awaited
    if (head === undefined || awaitsTheClient(frame)) return [{ bytes, command: null, isLast: true }]
    if (type === 'Z') return this.#ready(bytes)
    if (type === 'E' && head.command.isExtended) this.#skipsToSync = true
    const { command, error } = head
    if (completions.has(type)) head.replies -= 1
    const isLast =
      (command.answer === 'flush' && (type === 'E' || head.replies === 0)) ||
      (command.answer === 'startup' && type === 'E')
    if (isLast) this.#awaited.shift()
    return [{ bytes: error === null ? bytes : translate(type, bytes, error), command, isLast }]
  }

  /** What was flushed after an error is never answered: the server skipped it. */
  #ready(bytes: Buffer): ServerMessage[] {
    this.#skipsToSync = false
    const messages: ServerMessage[] = []
    for (;;) {
      const one = this.#awaited.shift()
      if (one?.command.answer !== 'flush') {
        messages.push({ bytes, command: one?.command ?? null, isLast: true })
        return messages
      }
      messages.push({ bytes: Buffer.alloc(0), command: one.command, isLast: true })
    }
  }
}

/** What fails in place of a command, or ends its transaction. */
function instead(name: string, answer: 'sync' | 'flush', isExtended: boolean): Buffer {
  if (answer === 'sync' && commits.has(name)) return encodeMessage('Q', ['ROLLBACK'])
  if (!isExtended) return encodeMessage('Q', [wrong])
  return Buffer.concat([encodeMessage('P', ['', wrong], Buffer.alloc(2)), encodeMessage(answer === 'sync' ? 'S' : 'H')])
}

function translate(type: string, bytes: Buffer, error: Buffer): Buffer {
  if (type === 'E' || type === 'C') return error
  return passing.has(type) ? bytes : Buffer.alloc(0)
}

/** A question in the middle of an answer: for a password, for the data of a COPY. It passes at once. */
function awaitsTheClient({ type, body }: PostgresFrame): boolean {
  return type === 'G' || type === 'W' || (type === 'R' && body.readInt32BE(0) !== 0)
}

/** Makes one of the messages that answer the same command: a result has one for every row. */
function joinParts(messages: readonly ServerMessage[]): ServerMessage[] {
  const groups: ServerMessage[][] = []
  for (const message of messages) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last?.command === message.command && !last.isLast) group.push(message)
    else groups.push([message])
  }
  return groups.map((group) => {
    const [first] = group
    const last = group.at(-1)
    if (!first || !last || first === last) return first as ServerMessage
    return { ...last, bytes: Buffer.concat(group.map(({ bytes }) => bytes)) }
  })
}
