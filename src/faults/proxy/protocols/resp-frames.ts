const LINE_END = 0x0a

/**
 * Cuts a stream of RESP2 or RESP3 into whole top-level values, however it was split on its way. An attribute belongs to the value after it. With
 * `inline`, a line that begins no array is a whole one: a command as a person types it.
 */
export class RespFrames {
  readonly #inline: boolean
  #parts: Buffer[] = []
  #line = ''
  #begun = false
  #values = 1
  #bytes = 0

  constructor({ inline = false }: { readonly inline?: boolean } = {}) {
    this.#inline = inline
  }

  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = []
    let start = 0
    let at = 0
    while (at < chunk.length) {
      at = this.#bytes > 0 ? this.#skip(chunk, at) : this.#readLine(chunk, at)
      if (this.#values > 0) continue
      frames.push(Buffer.concat([...this.#parts, chunk.subarray(start, at)]))
      this.#parts = []
      this.#begun = false
      this.#values = 1
      start = at
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
    return frames
  }

  #skip(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#bytes)
    this.#bytes -= end - at
    if (this.#bytes === 0) this.#values -= 1
    return end
  }

  #readLine(chunk: Buffer, at: number): number {
    const found = chunk.indexOf(LINE_END, at)
    const end = found === -1 ? chunk.length : found + 1
    this.#line += chunk.toString('latin1', at, end)
    if (found === -1) return end
    const line = this.#line
    this.#line = ''
    if (this.#inline && !this.#begun && !line.startsWith('*')) this.#values = 0
    else this.#begin(line)
    this.#begun = true
    return end
  }

  #begin(line: string): void {
    switch (line[0]) {
      case '$':
      case '=':
      case '!': {
        const length = count(line)
        if (length < 0) this.#values -= 1
        else this.#bytes = length + 2
        return
      }
      case '*':
      case '~':
      case '>':
        this.#values += Math.max(0, count(line)) - 1
        return
      case '%':
        this.#values += 2 * count(line) - 1
        return
      case '|':
        this.#values += 2 * count(line)
        return
      case '+':
      case '-':
      case ':':
      case '_':
      case '#':
      case ',':
      case '(':
        this.#values -= 1
        return
      default:
        throw notResp(line)
    }
  }
}

function count(line: string): number {
  const text = line.slice(1).trimEnd()
  if (!/^-?\d+$/.test(text)) throw notResp(line)
  return Number(text)
}

function notResp(line: string): Error {
  return new Error(`this is not RESP: ${JSON.stringify(line.slice(0, 40))}`)
}
