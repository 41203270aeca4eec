import { setTimeout as wait } from 'node:timers/promises'
import { askRedis, fieldOf, type RedisAddress } from './ask-redis.ts'

const SLOTS = 16_384
const PATIENCE = 60_000

/** Forms a cluster from independent servers: the first half are masters, the others their replicas. */
export async function formCluster(nodes: readonly RedisAddress[]): Promise<void> {
  const masters = nodes.slice(0, nodes.length / 2)
  const replicas = nodes.slice(masters.length)
  await Promise.all(nodes.map((node, index) => askRedis(node, ['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)])))
  await Promise.all(nodes.map((node) => introduce(node, nodes)))
  await Promise.all(masters.map((master, index) => giveSlots(master, index, masters.length)))
  const ids = await Promise.all(masters.map(async (master) => String((await askRedis(master, ['CLUSTER', 'MYID']))[0])))
  await until('the nodes know each other', async () => {
    const seen = await Promise.all(nodes.map((node) => askRedis(node, ['CLUSTER', 'NODES'])))
    return seen.every(([text]) => ids.every((id) => knows(String(text), id, nodes.length)))
  })
  await Promise.all(replicas.map((one, index) => askRedis(one, ['CLUSTER', 'REPLICATE', ids[index] ?? ''])))
  await clusterWhole(nodes)
}

/** Waits until every slot is served and half of the nodes are replicas in sync. */
export async function clusterWhole(nodes: readonly RedisAddress[]): Promise<void> {
  await until('the cluster is whole', async () => {
    const kept = await Promise.all(nodes.map((node) => replicasOf(node, nodes.length).catch(() => Number.NaN)))
    return kept.reduce((sum, one) => sum + one, 0) === nodes.length / 2
  })
}

async function introduce(node: RedisAddress, nodes: readonly RedisAddress[]): Promise<void> {
  const others = nodes.filter((other) => other !== node)
  await askRedis(node, ...others.map(({ host, port }) => ['CLUSTER', 'MEET', host, String(port)]))
}

async function giveSlots(master: RedisAddress, index: number, masters: number): Promise<void> {
  const first = Math.ceil((SLOTS * index) / masters)
  const end = Math.ceil((SLOTS * (index + 1)) / masters)
  const slots = Array.from({ length: end - first }, (_, slot) => String(first + slot))
  await askRedis(master, ['CLUSTER', 'ADDSLOTS', ...slots])
}

function knows(text: string, id: string, count: number): boolean {
  const lines = text.trim().split('\n')
  return lines.length === count && text.includes(id) && !/handshake|noaddr|disconnected/.test(text)
}

/** How many replicas of this node are in sync; NaN while the node itself is not ready. */
async function replicasOf(node: RedisAddress, count: number): Promise<number> {
  const [cluster, replication] = await askRedis(node, ['CLUSTER', 'INFO'], ['INFO', 'replication'])
  const isWhole =
    fieldOf(replication, 'master_link_status') !== 'down' &&
    fieldOf(cluster, 'cluster_state') === 'ok' &&
    fieldOf(cluster, 'cluster_slots_ok') === String(SLOTS) &&
    fieldOf(cluster, 'cluster_known_nodes') === String(count)
  return isWhole ? [...String(replication).matchAll(/^slave\d+:.*state=online/gm)].length : Number.NaN
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE} ms until ${what}`)
    await wait(20)
  }
}
