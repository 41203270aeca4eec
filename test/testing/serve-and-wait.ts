import { pgBouncer, postgresServer, redisServer } from '../../src/testing/servers/index.ts'

const { forget, what } = JSON.parse(process.argv[2] ?? '{}') as { forget: boolean; what: string }
const servers =
  what === 'postgres' ? await startPostgres() : [await redisServer({ own: true, cluster: what === 'cluster' })]
process.send?.({
  folders: servers.map(({ folder }) => folder),
  ports: servers.flatMap(({ nodes }) => nodes.map(({ port }) => port)),
})
if (forget) process.channel?.unref()
else setInterval(() => {}, 60_000)

async function startPostgres() {
  const server = await postgresServer({ own: true, standby: true })
  return [server, await pgBouncer({ server, config: { tcp_defer_accept: '0' } })]
}
