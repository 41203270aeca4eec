import pg from 'pg'
import { openOnPostgres } from '../postgres.ts'
import { rowGroup } from '../row.ts'
import { appendRow, type Beside, closeOnServer, type OnServer, oneByOne, toEach, toOne, turn } from '../ways.ts'

const body = JSON.stringify(turn)

/** One table, one index, as many connections as ours. */
const bare: Beside = {
  name: '',
  beside: 'a bare INSERT through pg',
  figure: 'INSERT',
  async open(url) {
    const pool = new pg.Pool({ connectionString: url, max: 10 })
    await pool.query(
      'CREATE TABLE IF NOT EXISTS turns (id bigserial PRIMARY KEY, session text NOT NULL, body text NOT NULL)',
    )
    return {
      append: (session) => pool.query('INSERT INTO turns (session, body) VALUES ($1, $2)', [session, body]),
      close: () => pool.end(),
    }
  },
}

/** Every commit is on disk when it is answered. */
export const postgresAppendGroup = rowGroup<OnServer>(openOnPostgres, closeOnServer, [
  appendRow('postgres', 'PostgreSQL', oneByOne, bare, { atMost: 1.5 }),
  appendRow('postgres', 'PostgreSQL', toOne, bare, { atLeast: 0.7 }),
  appendRow('postgres', 'PostgreSQL', toEach, bare, { atLeast: 0.7 }),
])
