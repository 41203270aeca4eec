import { PostgresAnswers, wrong } from './postgres-answers.ts'
import { encodeError } from './postgres-errors.ts'
import { PostgresFrames } from './postgres-frames.ts'
import { type PostgresCommand, type PostgresRequest, PostgresRequests } from './postgres-requests.ts'
import { encodeMessage } from './postgres-values.ts'
import type { ClientCommand, Failure, ServerMessage, WireConversation } from './wire-protocol.ts'

/** A COMMIT that fails has still ended the transaction. */
const commits = new Set(['COMMIT', 'END'])

export class PostgresConversation implements WireConversation {
  readonly #requests = new PostgresRequests()
  readonly #replies = new PostgresFrames({ from: 'server' })
  readonly #answers = new PostgresAnswers()

  fromClient(chunk: Buffer): ClientCommand[] {
    return this.#requests.push(chunk)
  }

  forwarded(given: ClientCommand): boolean {
    const command = given as PostgresCommand
    return this.#answers.expect(command, command) && !command.isContinuation
  }

  /** An error that does not end the connection fails on the server too, so that the transaction is really aborted there. */
  failed(given: ClientCommand, reply: string): Failure {
    const command = given as PostgresCommand
    const { bytes, isFatal } = encodeError(reply, command.name)
    const stand = isFatal ? null : instead(command)
    if (stand === null) return { toClient: bytes, endsConnection: true }
    if (this.#answers.expect(command, stand, bytes)) return { toServer: stand.bytes, endsConnection: false }
    return { toClient: Buffer.alloc(0), endsConnection: false }
  }

  fromServer(chunk: Buffer): ServerMessage[] {
    return joinParts(this.#replies.push(chunk).flatMap((frame) => this.#answers.match(frame)))
  }
}

/** Fails instead of a command, or ends its transaction. */
function instead({ name, replies, end }: PostgresCommand): (PostgresRequest & { readonly bytes: Buffer }) | null {
  if (name === 'COPY DATA') return { replies: 0, end: 'copy', bytes: encodeMessage('f', [wrong]) }
  if (end === 'startup' || (end === null && replies === 0)) return null
  if (end !== null && commits.has(name)) return { replies: 0, end: 'query', bytes: encodeMessage('Q', ['ROLLBACK']) }
  if (end === 'query') return { replies: 0, end, bytes: encodeMessage('Q', [wrong]) }
  const ending = encodeMessage(end === 'sync' ? 'S' : 'H')
  return { replies: 1, end, bytes: Buffer.concat([encodeMessage('P', ['', wrong], Buffer.alloc(2)), ending]) }
}

/** Merges the messages of a response: a result has one for every row. */
function joinParts(messages: readonly ServerMessage[]): ServerMessage[] {
  const groups: ServerMessage[][] = []
  for (const message of messages) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last?.command === message.command && !last.isLast && !last.isQuestion) group.push(message)
    else groups.push([message])
  }
  return groups.map((group) => {
    const [first] = group
    const last = group.at(-1)
    if (!first || !last || first === last) return first as ServerMessage
    return { ...last, bytes: Buffer.concat(group.map(({ bytes }) => bytes)) }
  })
}
