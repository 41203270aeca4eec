import { sharedUse } from '../../core/shared-use.ts'
import type { RedisClient, RedisCluster } from './client.ts'

/**
 * Prevents unhandled connection errors, which end the process; the calls in progress report them. Returns a function that removes the
 * listener.
 */
export const guardClient = sharedUse<RedisClient | RedisCluster>(
  (client) => void client.on('error', ignore),
  (client) => void client.off('error', ignore),
)

function ignore(): void {}
