import { type PostgresFrame, PostgresFrames } from './postgres-frames.ts'
import { PostgresStatements } from './postgres-statements.ts'
import { FieldReader, nameOf } from './postgres-values.ts'
import type { ClientCommand } from './wire-protocol.ts'

/** A command as a client of PostgreSQL waits for it. */
export interface PostgresCommand extends ClientCommand {
  /** What ends its answer: ReadyForQuery, after `startup` and `sync`; so many replies, after `flush`; null where there is none. */
  readonly answer: 'startup' | 'sync' | 'flush' | null
  readonly replies: number
  readonly isExtended: boolean
}

const CANCEL = 80_877_102
const ENCRYPTION = [80_877_103, 80_877_104]
const COPY = ['d', 'c', 'f']
const EXTENDED = ['P', 'B', 'D', 'E', 'C']

/** Statements by which drivers set up a connection. */
const settings = new Set(['', 'SET', 'SHOW', 'RESET', 'DISCARD', 'DEALLOCATE'])
const typesOfDrivers = /\bfrom\s+(pg_catalog\.)?pg_type\b/i

/** Reads what a client sends: one command is a simple query, or all that is sent up to a Sync or a Flush. */
export class PostgresRequests {
  readonly #frames = new PostgresFrames({ from: 'client' })
  readonly #statements = new PostgresStatements()
  #batch: PostgresFrame[] = []

  push(chunk: Buffer): PostgresCommand[] {
    return this.#frames.push(chunk).flatMap((frame) => this.#read(frame) ?? [])
  }

  #read(frame: PostgresFrame): PostgresCommand | null {
    const { type, bytes, body } = frame
    if (type === '') return readStartup(frame)
    if (EXTENDED.includes(type)) {
      this.#batch.push(frame)
      return null
    }
    if (type === 'S' || type === 'H') return this.#endBatch(frame)
    if (type === 'Q') return statement(bytes, new FieldReader(body).text(), [], { answer: 'sync' })
    if (type === 'F') return other('FUNCTION CALL', bytes, 'sync')
    if (type === 'p') return { ...other('PASSWORD', bytes), isContinuation: true }
    if (COPY.includes(type)) return { ...other('COPY DATA', bytes), isContinuation: true }
    return other(type === 'X' ? 'TERMINATE' : type, bytes)
  }

  #endBatch(end: PostgresFrame): PostgresCommand {
    const batch = this.#batch
    this.#batch = []
    const bytes = Buffer.concat([...batch, end].map((frame) => frame.bytes))
    const { sql, values } = this.#statements.read(batch)
    const isFlush = end.type === 'H'
    const answer = isFlush ? (batch.length === 0 ? null : 'flush') : 'sync'
    return statement(bytes, sql, values, { answer, replies: batch.length, isExtended: true })
  }
}

function statement(
  bytes: Buffer,
  sql: string,
  values: readonly string[],
  how: Pick<PostgresCommand, 'answer'> & Partial<PostgresCommand>,
): PostgresCommand {
  const name = nameOf(sql)
  const isHandshake = settings.has(name) || typesOfDrivers.test(sql)
  return { name, args: [sql, ...values], bytes, isHandshake, replies: 0, isExtended: false, ...how }
}

function other(
  name: string,
  bytes: Buffer,
  answer: PostgresCommand['answer'] = null,
  args: readonly string[] = [],
): PostgresCommand {
  return { name, args, bytes, isHandshake: name !== 'FUNCTION CALL', answer, replies: 0, isExtended: false }
}

/** A wish to encrypt is declined: the proxy reads what is said. */
function readStartup({ bytes, body }: PostgresFrame): PostgresCommand {
  const code = body.readInt32BE(0)
  if (ENCRYPTION.includes(code)) return { ...other('ENCRYPTION', bytes), reply: Buffer.from('N') }
  if (code === CANCEL) return other('CANCEL', bytes)
  return other('STARTUP', bytes, 'startup', body.toString('utf8', 4).split('\0').slice(0, -2))
}
