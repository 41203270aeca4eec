export type { PgClient, PgPool } from './client.ts'
export type { PostgresOptions } from './open-link.ts'
export { PostgresBackend } from './postgres-backend.ts'
