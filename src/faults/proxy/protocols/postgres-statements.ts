import type { PostgresFrame } from './postgres-frames.ts'
import { FieldReader } from './postgres-values.ts'

/** What a batch of messages asks for. */
export interface Asked {
  readonly sql: string
  /** The values of the parameters, text as it is and binary in hexadecimal. */
  readonly values: readonly string[]
}

/** Which SQL the prepared statements and portals of a connection have. */
export class PostgresStatements {
  readonly #statements = new Map<string, string>()
  readonly #portals = new Map<string, string>()

  /** Reads the messages of the extended protocol, in their order. */
  read(batch: readonly PostgresFrame[]): Asked {
    const seen = new Set<string>()
    const values: string[] = []
    for (const { type, body } of batch) {
      const fields = new FieldReader(body)
      if (type === 'P') {
        this.#statements.set(fields.text(), add(seen, fields.text()))
      } else if (type === 'B') {
        const portal = fields.text()
        this.#portals.set(portal, add(seen, this.#statements.get(fields.text()) ?? ''))
        values.push(...readValues(fields))
      } else if (type === 'D') {
        const known = fields.byte() === 'S' ? this.#statements : this.#portals
        add(seen, known.get(fields.text()) ?? '')
      } else if (type === 'E') {
        add(seen, this.#portals.get(fields.text()) ?? '')
      }
    }
    return { sql: [...seen].join(';\n'), values }
  }
}

function add(seen: Set<string>, sql: string): string {
  if (sql !== '') seen.add(sql)
  return sql
}

function readValues(fields: FieldReader): string[] {
  const formats = Array.from({ length: fields.int16() }, () => fields.int16())
  return Array.from({ length: fields.int16() }, (_, index) => {
    const length = fields.int32()
    if (length < 0) return ''
    const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === 1
    return fields.bytes(length).toString(isBinary ? 'hex' : 'utf8')
  })
}
