import { sharedUse } from '../../core/shared-use.ts'
import type { PgClient, PgPool } from './client.ts'

/**
 * Prevents unhandled connection errors, which end the process. `pg` removes its own listener from a client before it hands it out, and the
 * server may end the connection before ours is attached. So each client gets one as it is taken from the pool, and keeps it. The error itself is
 * reported by the call that uses the client. Returns a function that removes the listeners from the pool.
 */
export const guardPool = sharedUse<PgPool>(
  (pool) => {
    pool.on('error', ignore)
    pool.on('acquire', guardClient)
  },
  (pool) => {
    pool.off('error', ignore)
    pool.off('acquire', guardClient)
  },
)

const guarded = new WeakSet<PgClient>()

function guardClient(client: PgClient): void {
  if (guarded.has(client)) return
  guarded.add(client)
  client.on('error', ignore)
}

function ignore(): void {}
