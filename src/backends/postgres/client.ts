/** What is used of a client of the package `pg`, so that any copy of it will do. */
export interface PgClient {
  /** The process at the other end, as announced when the connection was made. */
  readonly processID?: number | null
  query(statement: Statement): Promise<{ rows: unknown[] }>
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: unknown) => void): unknown
  off(event: 'error', listener: (error: unknown) => void): unknown
}

/** What is used of a pool of the package `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'acquire', listener: (client: PgClient) => void): unknown
  off(event: 'error', listener: (error: unknown) => void): unknown
  off(event: 'acquire', listener: (client: PgClient) => void): unknown
}

export interface Statement {
  /** Prepares it under this name: state of a connection, which a pooler in transaction mode does not keep. */
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
  readonly types?: { getTypeParser(oid: number, format?: string): (value: string) => unknown }
}

const oids = { boolean: 16, bytes: 17, bigint: 20, integer: 23, double: 701, bigints: 1016 }

/** Our own parsers, whatever the caller configured in `pg`. No number here exceeds what JavaScript represents exactly. */
export const types = {
  getTypeParser(oid: number): (value: string) => unknown {
    switch (oid) {
      case oids.boolean:
        return (value) => value === 't'
      case oids.bytes:
        return bytesOf
      case oids.bigint:
      case oids.integer:
      case oids.double:
        return Number
      case oids.bigints:
        return (value) => (value === '{}' ? [] : value.slice(1, -1).split(',').map(Number))
      default:
        return (value) => value
    }
  },
}

/** In the format of `bytea_output`: `hex`, or `escape` if someone has set that. */
function bytesOf(value: string): Buffer {
  if (value.startsWith('\\x')) return Buffer.from(value.slice(2), 'hex')
  const unescaped = value.replace(/\\(\\|[0-7]{3})/g, (_, what: string) =>
    what === '\\' ? what : String.fromCharCode(Number.parseInt(what, 8)),
  )
  return Buffer.from(unescaped, 'latin1')
}
