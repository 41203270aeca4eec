import { encodeMessage } from './postgres-values.ts'

/** The error replies that are known by name, in the words of PostgreSQL. Those that are FATAL end the connection. */
const errors = {
  'too many connections': 'FATAL 53300 sorry, too many clients already',
  'starting up': 'FATAL 57P03 the database system is starting up',
  'shutting down': 'FATAL 57P03 the database system is shutting down',
  terminated: 'FATAL 57P01 terminating connection due to administrator command',
  'read only': 'ERROR 25006 cannot execute $NAME in a read-only transaction',
  'disk full': 'ERROR 53100 could not extend file "base/5/16384": No space left on device',
  'out of memory': 'ERROR 53200 out of memory',
  'serialization failure': 'ERROR 40001 could not serialize access due to concurrent update',
  deadlock: 'ERROR 40P01 deadlock detected',
  'statement timeout': 'ERROR 57014 canceling statement due to statement timeout',
  'lock timeout': 'ERROR 55P03 canceling statement due to lock timeout',
} as const

export type PostgresErrorReply = keyof typeof errors

export const postgresErrorReplies = Object.keys(errors) as readonly PostgresErrorReply[]

export interface EncodedError {
  readonly bytes: Buffer
  readonly isFatal: boolean
}

/** An error by its name or as a line: `ERROR 23505 duplicate key`. `name` is the command that meets it. */
export function encodeError(reply: string, name: string): EncodedError {
  const line = Object.hasOwn(errors, reply) ? errors[reply as PostgresErrorReply] : reply
  const [, severity, code, message] = line.match(/^(ERROR|FATAL|PANIC) ([0-9A-Z]{5}) ([^\0]+)$/) ?? []
  if (severity === undefined) {
    throw new TypeError(
      `reply: expected one of ${postgresErrorReplies.join(', ')}, or a line such as "ERROR 23505 duplicate key"`,
    )
  }
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message?.replace('$NAME', name)}`, '']
  return { bytes: encodeMessage('E', fields), isFatal: severity !== 'ERROR' }
}
