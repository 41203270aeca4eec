import { longSessionsGroup } from '../long-sessions.ts'
import { openOnPostgres } from '../postgres.ts'

export const postgresLongSessionGroup = longSessionsGroup(
  'postgres',
  'PostgreSQL',
  { long: 1_000_000, short: 1_000, least: 1_000 },
  openOnPostgres,
)
