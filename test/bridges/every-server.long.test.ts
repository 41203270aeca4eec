import { openMemory } from 'unforget'
import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll, describe, test } from 'vitest'
import { bridges, replacing } from './bridges.ts'
import { killedWhileReplacing, twoProcessesTakeTurns } from './several-processes.ts'
import { doEverything, useCommandLine } from './what-unforget-does.ts'

const servers = await Promise.all([
  redisServer({ own: true }),
  redisServer({ cluster: true }),
  postgresServer({ own: true }),
])
afterAll(() => Promise.all(servers.map((server) => server.stop())))
const places = ['Redis', 'a Redis Cluster', 'PostgreSQL'].map(
  (name, index) => [name, servers[index]?.url ?? ''] as const,
)

describe.each(places)('on %s', (_name, url) => {
  test.each(bridges)('what unforget does to sessions works on those of $name', async (bridge) => {
    const memory = await openMemory(url)
    await doEverything(bridge, memory)
    await memory.close()
  })

  test.each(bridges)('the command line works with what $name stored', (bridge) => useCommandLine(bridge, url))

  test.each(bridges)('two processes take turns in one conversation of $name', (bridge) =>
    twoProcessesTakeTurns(bridge, url, 25),
  )

  test.each(replacing)('killed while $name replaces the end, it has the old one or the new one', (bridge) =>
    killedWhileReplacing(bridge, url, 5),
  )
})
