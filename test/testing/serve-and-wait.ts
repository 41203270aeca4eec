import { redisServer } from '../../src/testing/servers/index.ts'

const { forget, cluster } = JSON.parse(process.argv[2] ?? '{}') as { forget: boolean; cluster: boolean }
const { folder, nodes } = await redisServer({ own: true, cluster })
process.send?.({ folder, ports: nodes.map(({ port }) => port) })
if (forget) process.channel?.unref()
else setInterval(() => {}, 60_000)
