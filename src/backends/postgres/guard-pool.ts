import { sharedUse } from '../../core/shared-use.ts'
import type { PgClient, PgPool } from './client.ts'

/**
 * Keeps an error of a connection from being nobody's, which ends the process. `pg` takes its own listener off a client before it hands it out, and the
 * server may end the connection before ours is on. So each client gets one as it is taken from the pool, and keeps it. The error itself is
 * told by the call that uses the client, now or next. Returns what takes the listeners off the pool again.
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
