import type { PostgresFrame } from './postgres-frames.ts'
import type { PostgresCommand, PostgresRequest } from './postgres-requests.ts'
import type { ServerMessage } from './wire-protocol.ts'

/** What the server will read, and how it responds. */
interface Expected {
  readonly command: PostgresCommand
  readonly what: 'replies' | NonNullable<PostgresRequest['end']>
  /** The outcome reported to the client instead of the real one. */
  readonly error: Buffer | null
  replies: number
  hasBegun: boolean
}

/** What ends the answer to one message of the extended protocol. */
const completions = new Set(['1', '2', '3', 'T', 'n', 'C', 'I', 's'])
/** Messages that come at any time: notifications, settings, notices. */
const unasked = new Set(['A', 'S', 'N'])
/** The client's share of the response to a substituted statement: notifications, settings, and readiness. */
const passing = new Set(['A', 'S', 'Z'])

/** An invalid statement or COPY, so that the command fails on the server as well. */
export const wrong = 'unforget: this is wrong so that it fails here as well, where the fault proxy was told to fail'

/**
 * Which message of the server answers which command. The server skips to a Sync after an error in the extended protocol, ignores a Sync among the data of a
 * COPY, and ignores such data elsewhere.
 */
export class PostgresAnswers {
  readonly #expected: Expected[] = []
  /** How the server treats what comes after everything expected. While it skips, nothing is expected. */
  #mode: 'reads' | 'copies' | 'skips' = 'reads'
  #failedCopy: Expected | null = null

  /** Records what is sent to the server for a command. Returns whether the server will respond. */
  expect(command: PostgresCommand, { replies, end }: PostgresRequest, error: Buffer | null = null): boolean {
    const hasReplies = replies > 0 && this.#add({ command, what: 'replies', error, replies, hasBegun: false })
    return (end !== null && this.#add({ command, what: end, error, replies: 0, hasBegun: false })) || hasReplies
  }

  match(frame: PostgresFrame): ServerMessage[] {
    const { type } = frame
    const [head] = this.#expected
    if (type === 'Z' && head === undefined) this.#mode = 'reads'
    if (head === undefined || isForNobody(type, head)) return [{ bytes: frame.bytes, command: null, isLast: true }]
    head.hasBegun ||= !unasked.has(type)
    const bytes = this.#tell(frame, head)
    const passed = [...this.#advance(type, head), ...this.#dropStaleEnds()]
    const next = this.#expected[0]?.command
    const over = passed.filter(({ what, error, command }) => (what !== 'copy' || error) && command !== next)
    return [
      { bytes, command: head.command, isLast: head.command !== next, isQuestion: asksTheClient(frame) },
      ...over.map(({ command }) => ({ bytes: Buffer.alloc(0), command, isLast: true })),
    ]
  }

  #add(one: Expected): boolean {
    const { what, command, error } = one
    if (this.#mode === 'skips' && what !== 'sync') return false
    if (this.#mode === 'copies' && what === 'sync') return false
    const endsCopy = this.#mode === 'copies' && what === 'copy'
    this.#mode = 'reads'
    if (endsCopy) {
      this.#failedCopy = error && one
      return true
    }
    if (what === 'copy' && this.#expected.length === 0) return false
    const owner = command.isContinuation && what === 'sync' ? this.#last() : undefined
    this.#expected.push({ ...one, command: owner ?? command })
    return true
  }

  #last(): PostgresCommand | undefined {
    return this.#expected.findLast(({ what }) => what !== 'copy')?.command
  }

  #tell({ type, bytes, body }: PostgresFrame, { error }: Expected): Buffer {
    if (type === 'E' && this.#failedCopy?.error && body.includes(wrong)) return this.#failedCopy.error
    if (error === null) return bytes
    if (type === 'E' || type === 'C') return error
    return passing.has(type) ? bytes : Buffer.alloc(0)
  }

  /** Returns what is skipped without a response. */
  #advance(type: string, head: Expected): Expected[] {
    if (type === 'G') return this.#beginCopy(head)
    if (type === 'E') return this.#fail(head)
    if (head.what === 'replies' && completions.has(type)) head.replies -= 1
    if (type === 'Z' || (head.what === 'replies' && head.replies === 0)) this.#expected.shift()
    return []
  }

  #beginCopy({ command }: Expected): Expected[] {
    const index = this.#expected.findIndex(({ what }, at) => at > 0 && what !== 'sync')
    const end = this.#expected[index]
    if (end === undefined) this.#mode = 'copies'
    else if (end.what !== 'copy') return []
    else this.#failedCopy = end.error && end
    const read = this.#expected.splice(1, end ? index : Number.POSITIVE_INFINITY)
    return read.filter((one) => one !== end && one.command !== command)
  }

  #fail(head: Expected): Expected[] {
    const passed = this.#failedCopy ? [this.#failedCopy] : []
    this.#failedCopy = null
    if (this.#mode === 'copies') this.#mode = 'reads'
    if (head.what === 'startup') this.#expected.shift()
    if (head.what !== 'replies') return passed
    const sync = this.#expected.findIndex(({ what }) => what === 'sync')
    if (sync === -1) this.#mode = 'skips'
    const skipped = this.#expected.splice(0, sync === -1 ? Number.POSITIVE_INFINITY : sync)
    return [...skipped.filter(({ command }) => command !== head.command), ...passed]
  }

  #dropStaleEnds(): Expected[] {
    const end = this.#expected.findIndex(({ what }) => what !== 'copy')
    return this.#expected.splice(0, end === -1 ? Number.POSITIVE_INFINITY : end)
  }
}

/** After an error in the middle of a COPY, it is unknown how many Syncs the server had read: it may be ready once more than expected. */
function isForNobody(type: string, { what, hasBegun }: Expected): boolean {
  return type === 'Z' && (what === 'replies' || (what === 'query' && !hasBegun))
}

/** For a password, or for the data of a COPY. */
function asksTheClient({ type, body }: PostgresFrame): boolean {
  return type === 'G' || type === 'W' || (type === 'R' && body.readInt32BE(0) !== 0)
}
