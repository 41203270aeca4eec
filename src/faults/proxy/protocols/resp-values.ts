export type RespValue = string | number | boolean | null | RespError | readonly RespValue[]

/** An error reply: `OOM command not allowed …`. */
export class RespError extends Error {
  override readonly name = 'RespError'
  /** Its first word. */
  get code(): string {
    return this.message.split(' ', 1)[0] ?? ''
  }
}

export function encodeCommand(words: readonly (string | Uint8Array)[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from(`*${words.length}\r\n`)]
  for (const word of words) {
    const bytes = typeof word === 'string' ? Buffer.from(word) : word
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'))
  }
  return Buffer.concat(parts)
}

/** The value of a whole frame: bulks as text, maps as a list of keys and values, attributes left out. */
export function decodeResp(frame: Buffer): RespValue {
  return decodeAt(frame, 0).value
}

/** The words of a whole command as bytes, written as an array of bulks or on a line. */
export function decodeCommand(frame: Buffer): Buffer[] {
  if (frame[0] !== 0x2a) {
    const words = frame.toString().trim().split(/\s+/)
    return words.filter((word) => word !== '').map((word) => Buffer.from(word))
  }
  const words: Buffer[] = []
  let at = frame.indexOf('\n') + 1
  while (at < frame.length) {
    const start = frame.indexOf('\n', at) + 1
    const end = start + Number(frame.toString('latin1', at + 1, start - 2))
    words.push(frame.subarray(start, end))
    at = end + 2
  }
  return words
}

interface Decoded {
  readonly value: RespValue
  readonly end: number
}

function decodeAt(frame: Buffer, at: number): Decoded {
  const end = frame.indexOf('\n', at) + 1
  const type = String.fromCharCode(frame[at] ?? 0)
  const text = frame.toString('utf8', at + 1, end - 2)
  switch (type) {
    case '$':
    case '=':
    case '!': {
      if (text === '-1') return { value: null, end }
      const bytes = frame.toString('utf8', end, end + Number(text))
      return { value: type === '!' ? new RespError(bytes) : bytes, end: end + Number(text) + 2 }
    }
    case '*':
    case '~':
    case '>':
      return text === '-1' ? { value: null, end } : decodeList(frame, end, Number(text))
    case '%':
      return decodeList(frame, end, 2 * Number(text))
    case '|':
      return decodeAt(frame, decodeList(frame, end, 2 * Number(text)).end)
    case ':':
    case ',':
      return { value: Number(text), end }
    case '#':
      return { value: text === 't', end }
    case '_':
      return { value: null, end }
    case '-':
      return { value: new RespError(text), end }
    default:
      return { value: text, end }
  }
}

function decodeList(frame: Buffer, start: number, length: number): Decoded {
  const value: RespValue[] = []
  let at = start
  while (value.length < length) {
    const one = decodeAt(frame, at)
    value.push(one.value)
    at = one.end
  }
  return { value, end: at }
}
