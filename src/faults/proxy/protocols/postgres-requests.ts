import { nameOf } from './name-of.ts'
import { type PostgresFrame, PostgresFrames } from './postgres-frames.ts'
import { PostgresStatements } from './postgres-statements.ts'
import { FieldReader } from './postgres-values.ts'
import type { ClientCommand } from './wire-protocol.ts'

/** How the server sees a command. */
export interface PostgresRequest {
  /** The number of messages of the extended protocol, with a reply each. */
  readonly replies: number
  /** What comes after them. The server is ready for another query after all but `copy`, which ends the data of a COPY. */
  readonly end: 'startup' | 'query' | 'sync' | 'copy' | null
}

/** A command, as the unit that a PostgreSQL client waits for. */
export interface PostgresCommand extends ClientCommand, PostgresRequest {}

const CANCEL = 80_877_102
const ENCRYPTION = [80_877_103, 80_877_104]
const COPY_DATA = 'd'
const COPY_ENDS = ['c', 'f']
const EXTENDED = ['P', 'B', 'D', 'E', 'C']

/** Statements by which drivers set up a connection. */
const settings = new Set(['', 'SET', 'SHOW', 'RESET', 'DISCARD', 'DEALLOCATE'])
const typesOfDrivers = /\bfrom\s+(pg_catalog\.)?pg_type\b/i

/** Reads what a client sends: one command is a simple query, or everything up to a Sync or a Flush. */
export class PostgresRequests {
  readonly #frames = new PostgresFrames({ from: 'client' })
  readonly #statements = new PostgresStatements()
  #batch: PostgresFrame[] = []
  #hasEndedCopy = false

  push(chunk: Buffer): PostgresCommand[] {
    return this.#frames.push(chunk).flatMap((frame) => this.#read(frame))
  }

  #read(frame: PostgresFrame): PostgresCommand[] {
    const { type, bytes, body } = frame
    if (type === '') return [readStartup(frame)]
    if (EXTENDED.includes(type)) {
      this.#batch.push(frame)
      return []
    }
    if (type === COPY_DATA || COPY_ENDS.includes(type)) return this.#copyData(frame)
    if (type === 'S' || type === 'H') return [this.#endBatch(frame)]
    this.#hasEndedCopy = false
    if (type === 'Q') return [statement(bytes, new FieldReader(body).text(), [], { replies: 0, end: 'query' })]
    if (type === 'F') return [other('FUNCTION CALL', bytes, 'query')]
    if (type === 'p') return [{ ...other('PASSWORD', bytes), isContinuation: true }]
    return [other(type === 'X' ? 'TERMINATE' : type, bytes)]
  }

  /** The data of a COPY may follow it directly, without a Sync in between. */
  #copyData(frame: PostgresFrame): PostgresCommand[] {
    const before = this.#batch.length > 0 ? [this.#endBatch()] : []
    this.#hasEndedCopy = frame.type !== COPY_DATA
    const data = other('COPY DATA', frame.bytes, this.#hasEndedCopy ? 'copy' : null)
    return [...before, { ...data, isContinuation: true }]
  }

  /** A Sync right after the data of a COPY belongs to it: the server ignored the one before. */
  #endBatch(end?: PostgresFrame): PostgresCommand {
    const batch = this.#batch
    this.#batch = []
    const bytes = Buffer.concat([...batch, ...(end ? [end] : [])].map((frame) => frame.bytes))
    const { sql, values } = this.#statements.read(batch)
    const isContinuation = this.#hasEndedCopy && batch.length === 0
    this.#hasEndedCopy = isContinuation && end?.type === 'H'
    const request = { replies: batch.length, end: end?.type === 'S' ? 'sync' : null } as const
    return { ...statement(bytes, sql, values, request), isContinuation }
  }
}

function statement(bytes: Buffer, sql: string, values: readonly string[], request: PostgresRequest): PostgresCommand {
  const name = nameOf(sql)
  const isHandshake = settings.has(name) || typesOfDrivers.test(sql)
  return { name, args: [sql, ...values], bytes, isHandshake, ...request }
}

function other(
  name: string,
  bytes: Buffer,
  end: PostgresCommand['end'] = null,
  args: readonly string[] = [],
): PostgresCommand {
  return { name, args, bytes, isHandshake: name !== 'FUNCTION CALL', replies: 0, end }
}

/** Encryption is declined, because the proxy has to read the stream. */
function readStartup({ bytes, body }: PostgresFrame): PostgresCommand {
  const code = body.readInt32BE(0)
  if (ENCRYPTION.includes(code)) return { ...other('ENCRYPTION', bytes), reply: Buffer.from('N') }
  if (code === CANCEL) return other('CANCEL', bytes)
  return other('STARTUP', bytes, 'startup', body.toString('utf8', 4).split('\0').slice(0, -2))
}
