const built = (file: string) => new URL(`../dist/testing/servers/${file}`, import.meta.url).href

/** The built servers for tests, as users get them. */
export const { postgresServer, redisServer, ServerNotFoundError } = (await import(
  built('index.js')
)) as typeof import('unforget/testing/servers')

export const { findRedisServer } = (await import(
  built('redis/find-redis-server.js')
)) as typeof import('../src/testing/servers/redis/find-redis-server.ts')

export const { findPostgres } = (await import(
  built('postgres/find-postgres.js')
)) as typeof import('../src/testing/servers/postgres/find-postgres.ts')
