import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { RespFrames } from '../../../src/faults/proxy/protocols/resp-frames.ts'
import { decodeResp, encodeCommand, type RespValue } from '../../../src/faults/proxy/protocols/resp-values.ts'

/** A socket that speaks RESP and hides nothing: no reconnecting, no retries. */
export class RawClient {
  readonly socket: Socket
  /** How the connection ended. */
  readonly ended: Promise<'fin' | 'reset' | 'refused'>
  /** All bytes that came. */
  received = Buffer.alloc(0)
  readonly chunks: number[] = []
  readonly #frames = new RespFrames()
  readonly #values: RespValue[] = []
  readonly #events = new EventEmitter()

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let how: 'fin' | 'reset' | 'refused' = 'fin'
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      how = error.code === 'ECONNREFUSED' ? 'refused' : 'reset'
    })
    this.ended = new Promise((resolve) => this.socket.on('close', () => resolve(how)))
    this.socket.on('close', () => this.#events.emit('some'))
    this.socket.on('data', (chunk) => {
      this.chunks.push(chunk.length)
      if (this.received.length < 100_000) this.received = Buffer.concat([this.received, chunk])
      this.#values.push(...this.#frames.push(chunk).map(decodeResp))
      this.#events.emit('some')
    })
  }

  send(...words: string[]): void {
    this.socket.write(encodeCommand(words))
  }

  async take(count: number): Promise<RespValue[]> {
    while (this.#values.length < count) {
      if (this.socket.closed) throw new Error(`the connection ended after ${this.#values.length} of ${count} replies`)
      await once(this.#events, 'some')
    }
    return this.#values.splice(0, count)
  }

  async ask(...words: string[]): Promise<RespValue | undefined> {
    this.send(...words)
    return (await this.take(1))[0]
  }

  close(): void {
    this.socket.destroy()
  }
}
