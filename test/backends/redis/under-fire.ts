import { createClient } from 'redis'
import type { RedisServer } from '../../../src/testing/servers/index.ts'
import type { Target } from '../children/open-target.ts'
import { writeUnderFire } from '../under-fire.ts'

export interface Fire {
  readonly kills: number
  readonly restarts: number
  readonly through: Target['through']
}

/** Writes while the connections of the writers are killed on every node, and then while the server restarts. */
export async function writeThroughKills(
  { url, nodes, restart }: RedisServer,
  { kills, restarts, through }: Fire,
): Promise<void> {
  await writeUnderFire({ url, through }, async (nextTurn) => {
    const clients = await Promise.all(nodes.map((node) => connect(node.url)))
    for (let killed = 0; killed < kills; ) {
      await nextTurn()
      for (const client of clients) {
        killed += Number(await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']))
      }
    }
    for (const client of clients) client.destroy()
    for (let times = 0; times < restarts; times++) {
      await nextTurn()
      await restart()
    }
  })
}

async function connect(url: string) {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  return client
}
