import type { Send } from './link.ts'

/** Who follows a server, and what a commit on this connection waits for. */
export interface Replication {
  /** How many standbys are connected; `null` if the role may not see them. */
  readonly standbys: number | null
  /** `synchronous_standby_names` */
  readonly synchronousNames: string
  readonly synchronousCommit: string
}

/**
 * Nobody fails over to a base backup or a logical subscriber, and a sender that is starting has not said yet what it is. Most roles cannot see what a sender
 * does, but they can see that there is one.
 */
const countStandbys = `SELECT count(*)::integer AS standbys FROM pg_catalog.pg_stat_replication r WHERE coalesce(r.state, '') NOT IN ('backup', 'startup')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')`

export async function readReplication(send: Send): Promise<Replication> {
  const [row] = (await send(
    `SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commit,
       has_table_privilege('pg_catalog.pg_stat_replication', 'SELECT')
         AND has_table_privilege('pg_catalog.pg_replication_slots', 'SELECT') AS visible`,
  )) as { names: string; commit: string; visible: boolean }[]
  const [count] = (row?.visible ? await send(countStandbys) : []) as { standbys: number }[]
  return {
    standbys: count?.standbys ?? null,
    synchronousNames: row?.names.trim() ?? '',
    synchronousCommit: row?.commit ?? 'unknown',
  }
}

/** What a failover to a standby can lose, in plain words. A commit that waits for a standby is not acknowledged without one. */
export function failoverWarnings({ standbys, synchronousNames, synchronousCommit }: Replication): string[] {
  if (standbys === 0) return []
  const isNamed = synchronousNames !== ''
  if (isNamed && ['remote_write', 'on', 'remote_apply'].includes(synchronousCommit)) return []
  const [setting, advice] = isNamed
    ? [`synchronous_commit is ${synchronousCommit}`, 'set it to on']
    : ['synchronous_standby_names is empty', 'name the standby there, with synchronous_commit on']
  return [
    standbys === null
      ? `a failover to a standby would lose acknowledged writes that had not reached it (${setting}; ${advice}); the role may not see whether there is a standby`
      : `a failover can lose acknowledged writes that had not reached the standby (${setting}; ${advice})`,
  ]
}
