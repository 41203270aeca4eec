import { pgBouncer, postgresServer, redisServer, type ServerNode } from '../../src/testing/servers/index.ts'

/** What the process is to do. */
export interface Wish {
  readonly what: 'redis' | 'cluster' | 'postgres'
  /** Restart the servers once. */
  readonly restart?: boolean
  /** End by itself and leave the servers running. */
  readonly forget?: boolean
}

export interface Started {
  readonly ports: readonly number[]
  readonly pids: readonly number[]
}

const { what, restart, forget } = JSON.parse(process.argv[2] ?? '{}') as Wish
const servers =
  what === 'postgres' ? await startPostgres() : [await redisServer({ own: true, cluster: what === 'cluster' })]
if (restart === true) for (const server of servers) await server.restart()
const nodes = servers.flatMap((server): readonly ServerNode[] => server.nodes)
process.send?.({ ports: nodes.map(({ port }) => port), pids: nodes.map(({ pid }) => pid) } satisfies Started)
if (forget === true) process.channel?.unref()
else setInterval(() => {}, 60_000)

async function startPostgres() {
  const server = await postgresServer({ own: true, standby: true })
  return [server, await pgBouncer({ server, config: { tcp_defer_accept: '0' } })]
}
