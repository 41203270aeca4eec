import { sharedUse } from '../../core/shared-use.ts'
import type { RedisClient, RedisCluster } from './client.ts'

/**
 * Keeps an error of a connection from being nobody's, which ends the process: the calls that were under way tell it. Returns what takes the listener
 * off again.
 */
export const guardClient = sharedUse<RedisClient | RedisCluster>(
  (client) => void client.on('error', ignore),
  (client) => void client.off('error', ignore),
)

function ignore(): void {}
