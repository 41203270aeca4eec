/** A whole message. The first that a client sends have no type: `''`. */
export interface PostgresFrame {
  readonly type: string
  readonly bytes: Buffer
  /** Without type and length. */
  readonly body: Buffer
}

const STARTUP = 3
const LONGEST = 0x4000_0000

/** Cuts a PostgreSQL stream into whole messages, however it was split on the way. */
export class PostgresFrames {
  #parts: Buffer[] = []
  #length = 0
  #wanted = 0
  #isTyped: boolean

  /** A client's stream begins with messages that have no type, a server's does not. */
  constructor({ from }: { readonly from: 'client' | 'server' }) {
    this.#isTyped = from === 'server'
  }

  push(chunk: Buffer): PostgresFrame[] {
    this.#parts.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#wanted) return []
    const bytes = Buffer.concat(this.#parts)
    const frames: PostgresFrame[] = []
    let at = 0
    for (;;) {
      this.#wanted = this.#sizeAt(bytes, at)
      if (bytes.length - at < this.#wanted) break
      frames.push(this.#read(bytes.subarray(at, at + this.#wanted)))
      at += this.#wanted
    }
    this.#parts = [bytes.subarray(at)]
    this.#length = bytes.length - at
    return frames
  }

  /** The length of the message that starts there, or of the bytes that tell it. */
  #sizeAt(bytes: Buffer, at: number): number {
    const type = this.#isTyped ? 1 : 0
    if (bytes.length - at < type + 4) return type + 4
    const length = bytes.readInt32BE(at + type)
    if (length < (this.#isTyped ? 4 : 8) || length > LONGEST) throw new Error('this is not the protocol of PostgreSQL')
    return type + length
  }

  #read(bytes: Buffer): PostgresFrame {
    if (this.#isTyped) return { type: String.fromCharCode(bytes[0] ?? 0), bytes, body: bytes.subarray(5) }
    this.#isTyped = bytes.readInt16BE(4) === STARTUP
    return { type: '', bytes, body: bytes.subarray(4) }
  }
}
