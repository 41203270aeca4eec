import type { RedisServer } from 'unforget/testing/servers'
import { askRedis } from './ask-redis.ts'

/** Moves a slot that holds keys from one master to another, key by key, while clients write. */
export async function moveSlot(cluster: RedisServer, random: () => number): Promise<void> {
  const masters = await mastersOf(cluster)
  const from = masters[Math.floor(random() * masters.length)]
  const to = masters.find((one) => one !== from)
  if (from === undefined || to === undefined) return
  const key = (await askRedis(from.url, 'RANDOMKEY')) as string | null
  if (key === null) return
  const slot = String(await askRedis(from.url, 'CLUSTER', 'KEYSLOT', key))
  await askRedis(to.url, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
  await askRedis(from.url, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
  for (;;) {
    const keys = (await askRedis(from.url, 'CLUSTER', 'GETKEYSINSLOT', slot, '20')) as string[]
    if (keys.length === 0) break
    await askRedis(from.url, 'MIGRATE', to.host, String(to.port), '', '0', '5000', 'KEYS', ...keys)
  }
  for (const { url } of [to, from, ...masters]) await askRedis(url, 'CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
}

async function mastersOf({ nodes }: RedisServer) {
  const described = await Promise.all(
    nodes.map(async ({ url, host, port }) => {
      const [role] = (await askRedis(url, 'ROLE').catch(() => [null])) as [string | null]
      return { url, host, port, isMaster: role === 'master', id: String(await askRedis(url, 'CLUSTER', 'MYID')) }
    }),
  )
  return described.filter(({ isMaster }) => isMaster)
}
