export type { Durability } from './connection.ts'
export { SqliteBackend, type SqliteOptions } from './sqlite-backend.ts'
