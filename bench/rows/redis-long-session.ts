import { longSessionsGroup } from '../long-sessions.ts'
import { openOnRedis } from '../redis.ts'

/** Nothing is synced: it would hide what grows. */
export const redisLongSessionGroup = longSessionsGroup(
  'redis',
  'Redis',
  { long: 100_000, short: 1_000, least: 100 },
  (bench) => openOnRedis(bench, { synced: false }),
)
