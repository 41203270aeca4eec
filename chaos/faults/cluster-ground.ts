import { setTimeout as wait } from 'node:timers/promises'
import { type RedisServer, redisServer, type ServerNode } from 'unforget/testing/servers'
import type { Fault } from '../workload/run-round.ts'
import { askRedis } from './ask-redis.ts'
import { type Ground, pause } from './ground.ts'
import { moveSlot } from './move-slot.ts'

export const nodeTimeout = 1000
const patience = 60_000

/**
 * Three masters with a replica each, writes acknowledged once the replica has them. Nodes tell clients their own addresses, so there is no proxy in
 * front of them: connections are cut by the nodes.
 */
export async function clusterGround(waitForReplicas = 1): Promise<Ground & { readonly cluster: RedisServer }> {
  const cluster = await redisServer({ cluster: true, nodeTimeout, aof: 'always' })
  const options = { timeout: 8000, waitForReplicas }
  return {
    cluster,
    target: () => ({ url: cluster.url, options }),
    faults: clusterFaults(cluster),
    heal: () => wholeAgain(cluster),
    check: { mayLoseUnacknowledged: true },
    close: () => cluster.stop(),
  }
}

function clusterFaults(cluster: RedisServer): Fault[] {
  const everyNode = (...command: string[]) =>
    Promise.all(cluster.nodes.map(({ url }) => askRedis(url, ...command).catch(() => null))).then(() => {})
  return [
    { name: 'connections killed', strike: () => everyNode('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') },
    { name: 'scripts flushed', strike: () => everyNode('SCRIPT', 'FLUSH') },
    { name: 'slot moved', strike: (random) => moveSlot(cluster, random) },
    { name: 'replica promoted', strike: (random) => promote(cluster, random) },
    { name: 'master killed, its replica promoted', strike: (random) => killMaster(cluster, random) },
    {
      name: 'node paused and resumed',
      strike: async (random) => {
        const node = cluster.nodes[Math.floor(random() * cluster.nodes.length)]
        if (node !== undefined) await pause(node, 100 + random() * 400)
      },
    },
  ]
}

/** Kills a master, waits until another node serves its slots, and starts it again as a replica. */
export async function killMaster(cluster: RedisServer, random: () => number): Promise<void> {
  const masters = await nodesThatAre('master', cluster)
  const master = masters[Math.floor(random() * masters.length)]
  if (master === undefined) return
  await master.kill()
  await until('a replica took over', async () => {
    const others = cluster.nodes.filter((node) => node !== master)
    return (await nodesThatAre('master', { nodes: others })).length === 3
  })
  await master.restart()
  await wholeAgain(cluster)
}

/** Lets a replica take over from its running master, in order. */
async function promote(cluster: RedisServer, random: () => number): Promise<void> {
  const replicas = await nodesThatAre('slave', cluster)
  const replica = replicas[Math.floor(random() * replicas.length)]
  if (replica === undefined) return
  await askRedis(replica.url, 'CLUSTER', 'FAILOVER')
  await until('the replica is a master', async () => (await roleOf(replica)) === 'master')
  await wholeAgain(cluster)
}

async function roleOf({ url }: ServerNode): Promise<string | null> {
  try {
    const [role] = (await askRedis(url, 'ROLE')) as [string]
    return role
  } catch {
    return null
  }
}

export async function nodesThatAre(
  role: 'master' | 'slave',
  { nodes }: Pick<RedisServer, 'nodes'>,
): Promise<ServerNode[]> {
  const roles = await Promise.all(nodes.map(roleOf))
  return nodes.filter((_, index) => roles[index] === role)
}

/** Waits until every slot is served and every master has a replica in sync. */
export async function wholeAgain(cluster: RedisServer): Promise<void> {
  await until('the cluster is whole', async () => {
    const infos = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const text = await askRedis(url, 'CLUSTER', 'INFO').catch(() => '')
        const replication = String(await askRedis(url, 'INFO', 'replication').catch(() => ''))
        const isFine = /cluster_state:ok/.test(String(text)) && !/master_link_status:down/.test(replication)
        return isFine ? [...replication.matchAll(/^slave\d+:.*state=online/gm)].length : Number.NaN
      }),
    )
    return infos.reduce((sum, one) => sum + one, 0) === 3
  })
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms until ${what}`)
    await wait(50)
  }
}
