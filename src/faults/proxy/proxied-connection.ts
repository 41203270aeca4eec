import { connect, type Socket } from 'node:net'
import type { DueFault } from './plan-wire-faults.ts'
import type { ClientCommand, WireConversation } from './protocols/wire-protocol.ts'
import { writeInPieces } from './write-in-pieces.ts'

export interface ConnectionOptions {
  readonly client: Socket
  readonly host: string
  readonly port: number
  readonly conversation: WireConversation
  /** What happens to a command when its turn comes. */
  readonly decide: (command: ClientCommand) => DueFault | null
  readonly errorReply: (reply: string) => Buffer
  readonly refuse: (milliseconds: number | undefined) => void
}

/** A command and its reply, in the order of the commands. */
interface Exchange {
  readonly command: ClientCommand
  readonly due: DueFault | null
  readonly reply: Buffer[]
  isComplete: boolean
  readonly endsConnection?: boolean
}

const GRACE = 10
const forwards = new Set(['reset after', 'hang after', 'fin after', 'half reply', 'delay', 'drip'])
const goesOn = new Set(['delay', 'drip', 'error'])

/** One connection of a client, and the matching one to the server. */
export class ProxiedConnection {
  readonly #options: ConnectionOptions
  readonly #client: Socket
  readonly #server: Socket
  readonly #waiting: ClientCommand[] = []
  readonly #exchanges: Exchange[] = []
  readonly #late: Buffer[] = []
  #lastWrite = Number.NEGATIVE_INFINITY
  #isHeld = false
  #isDripping = false
  #isDoomed = false
  #isMute = false
  #clientEnded = false
  #serverEnded = false

  constructor(options: ConnectionOptions) {
    const { client, host, port } = options
    this.#options = options
    this.#client = client
    this.#server = connect({ host, port, allowHalfOpen: true, noDelay: true })
    client.setNoDelay(true)
    client.on('data', (chunk) => this.#guard(() => this.#fromClient(chunk)))
    this.#server.on('data', (chunk) => this.#guard(() => this.#fromServer(chunk)))
    client.on('drain', () => this.#server.resume())
    this.#server.on('drain', () => client.resume())
    client.on('end', () => {
      this.#clientEnded = true
      if (this.#isMute) client.destroy()
      else this.#forwardWaiting()
    })
    this.#server.on('end', () => {
      this.#serverEnded = true
      this.#answer()
    })
    client.on('error', () => {})
    client.on('close', () => this.#server.destroy())
    this.#server.on('error', () => this.#isMute || this.reset())
    this.#server.on('close', () => this.#isMute || this.#isDripping || client.destroySoon())
  }

  /** A fault ended or silenced it. */
  get isDoomed(): boolean {
    return this.#isDoomed
  }

  reset(): void {
    if (this.#client.writableEnded) this.#client.destroy()
    else this.#client.resetAndDestroy()
    this.#server.destroy()
  }

  #guard(read: () => void): void {
    try {
      read()
    } catch {
      this.reset()
    }
  }

  #fromClient(chunk: Buffer): void {
    if (this.#isMute) return
    this.#waiting.push(...this.#options.conversation.fromClient(chunk))
    this.#forwardWaiting()
  }

  #forwardWaiting(): void {
    while (!this.#isHeld) {
      const command = this.#waiting.shift()
      if (command === undefined) break
      if (!this.#isDoomed) this.#meet(command, this.#options.decide(command))
      else if (command.isContinuation && !this.#isMute) this.#continue(command)
    }
    if (this.#clientEnded && this.#waiting.length === 0 && !this.#isHeld && !this.#isDoomed) this.#server.end()
  }

  /** What was forwarded before is still executed. */
  #continue(command: ClientCommand): void {
    this.#options.conversation.forwarded(command)
    this.#server.write(command.bytes)
  }

  #meet(command: ClientCommand, due: DueFault | null): void {
    const kind = due?.fault.do
    this.#isDoomed = kind !== undefined && !goesOn.has(kind)
    if (kind === 'delay') {
      due?.happened()
      this.#isHeld = true
      const release = () => {
        if (this.#client.destroyed) return
        this.#isHeld = false
        this.#forward(command, null)
        this.#forwardWaiting()
      }
      setTimeout(release, due?.fault.milliseconds ?? 0)
    } else if (kind === undefined || forwards.has(kind)) {
      this.#forward(command, due)
    } else if (kind === 'error') {
      this.#fail(command, due)
    } else {
      this.#expect({ command, due, reply: [], isComplete: true })
    }
  }

  #fail(command: ClientCommand, due: DueFault | null): void {
    const { conversation, errorReply } = this.#options
    const reply = due?.fault.reply ?? ''
    const failure = conversation.failed?.(command, reply) ?? { toClient: errorReply(reply), endsConnection: false }
    const { endsConnection } = failure
    this.#isDoomed = endsConnection
    if ('toServer' in failure) {
      this.#server.write(failure.toServer)
      this.#expect({ command, due, reply: [], isComplete: false })
    } else {
      this.#expect({ command, due, reply: [failure.toClient], isComplete: true, endsConnection })
    }
  }

  #forward(command: ClientCommand, due: DueFault | null): void {
    const { bytes, reply } = command
    const isAnswered = reply === undefined && this.#options.conversation.forwarded(command)
    if (reply === undefined && !this.#server.write(bytes)) this.#client.pause()
    if (reply === undefined && !isAnswered && due === null) return
    this.#expect({ command, due, reply: reply === undefined ? [] : [reply], isComplete: !isAnswered })
  }

  #expect(exchange: Exchange): void {
    if (exchange.command.isContinuation && exchange.isComplete) this.#exchanges.unshift(exchange)
    else this.#exchanges.push(exchange)
    this.#answer()
  }

  #fromServer(chunk: Buffer): void {
    for (const { bytes, command, isLast, isQuestion = false } of this.#options.conversation.fromServer(chunk)) {
      const exchange = command && this.#exchanges.find((one) => one.command === command)
      if (exchange && !isQuestion) {
        exchange.reply.push(bytes)
        exchange.isComplete = isLast
      } else {
        for (const part of [...(exchange?.reply.splice(0) ?? []), bytes]) this.#pass(part)
      }
      this.#answer()
    }
  }

  #pass(bytes: Buffer): void {
    if (this.#isDripping) this.#late.push(bytes)
    else this.#toClient(bytes)
  }

  #answer(): void {
    while (!this.#isDripping && !this.#isMute) {
      const [head] = this.#exchanges
      if (head?.due === null) for (const bytes of head.reply.splice(0)) this.#toClient(bytes)
      if (!head?.isComplete) break
      this.#exchanges.shift()
      if (head.due !== null) this.#deliver(head, head.due)
    }
    if (this.#serverEnded && !this.#isDripping && !this.#isMute) this.#client.end()
  }

  #deliver({ reply: parts, endsConnection = false }: Exchange, due: DueFault): void {
    const reply = Buffer.concat(parts)
    due.happened()
    this.#isMute = endsConnection || !goesOn.has(due.fault.do)
    switch (due.fault.do) {
      case 'reset before':
      case 'reset after':
        this.#resetSoon()
        break
      case 'hang before':
      case 'hang after':
        break
      case 'fin before':
      case 'fin after':
        this.#client.end()
        this.#server.destroy()
        break
      case 'half reply':
        this.#write(reply.subarray(0, Math.ceil(reply.length / 2)))
        this.#resetSoon()
        break
      case 'refuse':
        this.#options.refuse(due.fault.milliseconds)
        break
      case 'drip':
        this.#drip(reply, due)
        break
      default:
        this.#write(reply)
        if (!endsConnection) break
        this.#client.end()
        this.#server.destroy()
    }
  }

  // If bytes and a reset arrive together, libuv may report an orderly end instead.
  #resetSoon(): void {
    const reset = () => setImmediate(() => this.reset())
    if (performance.now() - this.#lastWrite > GRACE) reset()
    else this.#client.write('', () => setTimeout(reset, GRACE))
  }

  #drip(whole: Buffer, { fault: { bytes, milliseconds = 0 } }: DueFault): void {
    this.#isDripping = true
    const size = bytes ?? Math.ceil(whole.length / 1000)
    writeInPieces(this.#client, whole, size, milliseconds, () => {
      this.#isDripping = false
      for (const late of this.#late.splice(0)) this.#toClient(late)
      this.#answer()
    })
  }

  #toClient(bytes: Buffer): void {
    if (!this.#isMute) this.#write(bytes)
  }

  #write(bytes: Buffer): void {
    this.#lastWrite = performance.now()
    if (!this.#client.write(bytes)) this.#server.pause()
  }
}
