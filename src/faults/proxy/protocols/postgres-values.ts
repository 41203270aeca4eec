/** Reads the fields of a message one after the other. */
export class FieldReader {
  readonly #body: Buffer
  #at = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  get hasMore(): boolean {
    return this.#at < this.#body.length
  }

  byte(): string {
    return this.#body.toString('latin1', this.#at, ++this.#at)
  }

  int16(): number {
    this.#at += 2
    return this.#body.readInt16BE(this.#at - 2)
  }

  int32(): number {
    this.#at += 4
    return this.#body.readInt32BE(this.#at - 4)
  }

  text(): string {
    const start = this.#at
    const end = this.#body.indexOf(0, start)
    if (end === -1) throw new Error('this is not the protocol of PostgreSQL')
    this.#at = end + 1
    return this.#body.toString('utf8', start, end)
  }

  bytes(length: number): Buffer {
    this.#at += length
    return this.#body.subarray(this.#at - length, this.#at)
  }
}

/** A message with these texts, each ended by a zero, and then these bytes. */
export function encodeMessage(type: string, texts: readonly string[] = [], rest: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([...texts.map((text) => Buffer.from(`${text}\0`)), rest])
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
