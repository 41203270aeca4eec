export type { RedisClient, RedisCluster } from './client.ts'
export { NotReplicatedError } from './not-replicated-error.ts'
export type { RedisOptions } from './open-link.ts'
export { RedisBackend } from './redis-backend.ts'
