import { RespFrames } from './resp-frames.ts'
import { RespSubscriptions } from './resp-subscriptions.ts'
import { decodeCommand } from './resp-values.ts'
import type { ClientCommand, ServerMessage, WireConversation } from './wire-protocol.ts'

const handshakes = new Set(
  'HELLO AUTH CLIENT SELECT PING ECHO INFO CONFIG COMMAND CLUSTER ROLE READONLY READWRITE ASKING RESET QUIT'.split(' '),
)

interface Awaited {
  readonly command: ClientCommand
  /** How many replies are still to come if there is one per channel. */
  confirmations: number | null
}

export class RespConversation implements WireConversation {
  readonly #requests = new RespFrames({ inline: true })
  readonly #replies = new RespFrames()
  readonly #awaited: Awaited[] = []
  readonly #subscriptions = new RespSubscriptions()
  #silence: 'none' | 'next' | 'all' = 'none'
  #isReplication = false

  fromClient(chunk: Buffer): ClientCommand[] {
    return this.#requests.push(chunk).map(readCommand)
  }

  forwarded(command: ClientCommand): boolean {
    if (command.name === 'PSYNC' || command.name === 'SYNC') this.#isReplication = true
    if (!this.#isAnswered(command) || this.#isReplication) return false
    this.#awaited.push({ command, confirmations: null })
    return true
  }

  fromServer(chunk: Buffer): ServerMessage[] {
    if (this.#isReplication) return [{ bytes: chunk, command: null, isLast: true }]
    return this.#replies.push(chunk).map((bytes) => this.#match(bytes))
  }

  #isAnswered(command: ClientCommand): boolean {
    const choice = command.name === 'CLIENT' ? command.args.join(' ').toUpperCase() : ''
    if (choice === 'REPLY ON') this.#silence = 'none'
    if (choice === 'REPLY OFF') this.#silence = 'all'
    if (choice === 'REPLY SKIP' && this.#silence === 'none') {
      this.#silence = 'next'
      return false
    }
    const isAnswered = this.#silence === 'none' && command.name !== ''
    if (this.#silence === 'next') this.#silence = 'none'
    return isAnswered
  }

  #match(bytes: Buffer): ServerMessage {
    const [head] = this.#awaited
    const message = this.#subscriptions.read(bytes, head?.command)
    if (message === 'push') return { bytes, command: null, isLast: true }
    if (head !== undefined && message !== 'reply') {
      head.confirmations = (head.confirmations ?? message.expected) - 1
      if (head.confirmations > 0) return { bytes, command: head.command, isLast: false }
    }
    this.#awaited.shift()
    return { bytes, command: head?.command ?? null, isLast: true }
  }
}

function readCommand(bytes: Buffer): ClientCommand {
  const [first, ...rest] = decodeCommand(bytes)
  const name = first?.toString().toUpperCase() ?? ''
  return {
    name,
    bytes,
    isHandshake: handshakes.has(name),
    get args() {
      return rest.map((word) => word.toString())
    },
  }
}
