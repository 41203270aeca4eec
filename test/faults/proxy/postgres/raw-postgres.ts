import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PostgresFrames } from '../../../../src/faults/proxy/protocols/postgres-frames.ts'
import { encodeMessage } from '../../../../src/faults/proxy/protocols/postgres-values.ts'

export const query = (sql: string): Buffer => encodeMessage('Q', [sql])
export const parse = (sql: string): Buffer => encodeMessage('P', ['', sql], Buffer.alloc(2))
export const bind = encodeMessage('B', ['', ''], Buffer.alloc(6))
export const execute = encodeMessage('E', [''], Buffer.alloc(4))
export const flush = encodeMessage('H')
export const sync = encodeMessage('S')
export const copyData = (text: string): Buffer => encodeMessage('d', [], Buffer.from(text))
export const copyDone = encodeMessage('c')
export const copyFail = encodeMessage('f', ['the client gave up'])

/** A socket that speaks the protocol of PostgreSQL and hides nothing. */
export class RawPostgres {
  readonly socket: Socket
  /** The codes of the errors that came. */
  readonly errors: string[] = []
  readonly #frames = new PostgresFrames({ from: 'server' })
  readonly #events = new EventEmitter()
  #types = ''

  private constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.socket.on('error', () => {})
    this.socket.on('close', () => this.#events.emit('some'))
    this.socket.on('data', (chunk) => {
      for (const { type, body } of this.#frames.push(chunk)) {
        this.#types += type
        if (type === 'E') this.errors.push(/\0C(\w{5})\0/.exec(body.toString())?.[1] ?? '')
      }
      this.#events.emit('some')
    })
  }

  static async open(port: number): Promise<RawPostgres> {
    const raw = new RawPostgres(port)
    const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0')
    raw.socket.write(Buffer.concat([Buffer.from([0, 0, 0, body.length + 4]), body]))
    await raw.until('Z')
    return raw
  }

  /** Sends messages in one packet. */
  send(...messages: Buffer[]): void {
    this.socket.write(Buffer.concat(messages))
  }

  /** Waits until the types of what came end like this, and returns all of them. */
  async until(end: string): Promise<string> {
    while (!this.#types.endsWith(end)) {
      if (this.socket.closed) throw new Error(`the connection ended after ${this.#types}`)
      await once(this.#events, 'some')
    }
    const types = this.#types
    this.#types = ''
    return types
  }
}
