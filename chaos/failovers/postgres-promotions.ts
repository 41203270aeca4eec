import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openMemory } from 'unforget'
import { type PostgresServer, postgresServer } from 'unforget/testing/servers'
import { explain } from '../histories.ts'
import type { Context, PartResult } from '../part.ts'
import { runRound } from '../workload/run-round.ts'
import { type Relay, startRelay } from './relay.ts'

const failover = /failover/

/** A primary is killed and its standby promoted while processes write, on a new pair each time. */
export async function postgresPromotions({ folder, seed, until, most, tell }: Context): Promise<PartResult> {
  const figures = { promotions: 0, operations: 0, 'warned while asynchronous': 0, 'promised while synchronous': 0 }
  const problems: string[] = []
  const isTime = () => figures.promotions === 0 || Date.now() < until
  while (figures.promotions < most && isTime() && problems.length === 0) {
    await using server = await postgresServer({ own: true, standby: true })
    const before = await warnings(server.url)
    if (before.some((one) => failover.test(one))) figures['warned while asynchronous'] += 1
    else problems.push(`an asynchronous standby, and no warning of a failover: ${before.join('; ')}`)
    await beSynchronous(server.url)
    const after = await warnings(server.url)
    if (after.some((one) => failover.test(one)))
      problems.push(`a synchronous standby, and a warning: ${after.join('; ')}`)
    else figures['promised while synchronous'] += 1
    const own = seed * 1000 + figures.promotions
    const { operations, violations } = await promoteUnderLoad(server, join(folder, `${own}`), own)
    figures.promotions += 1
    figures.operations += operations.length
    tell(`promotion ${figures.promotions}: ${operations.length} operations, ${violations.length} violations`)
    const [first] = violations
    if (first !== undefined) problems.push(explain(operations, first, own))
  }
  return { figures, problems }
}

async function promoteUnderLoad(server: PostgresServer, folder: string, seed: number) {
  const relay = await startRelay(server.port)
  const url = new URL(server.url)
  url.port = String(relay.port)
  let isPromoted = false
  const promoteOnce = async (random: () => number = () => 0) => {
    if (isPromoted) return
    isPromoted = true
    await wait(random() * 3000)
    await promote(server, relay)
  }
  try {
    return await runRound({
      folder,
      seed,
      target: { url: url.href, options: { timeout: 8000, connections: 3 } },
      processes: 4,
      sessions: 16,
      calls: 1000,
      seconds: 8,
      faults: [{ name: 'standby promoted', strike: promoteOnce }],
      sparesClients: true,
      heal: () => promoteOnce(),
    })
  } finally {
    await relay.close()
  }
}

async function promote({ nodes }: PostgresServer, relay: Relay): Promise<void> {
  const [primary, standby] = nodes
  if (primary === undefined || standby === undefined) throw new Error('there are two servers')
  await primary.kill()
  await ask(standby.url, 'SELECT pg_promote(true, 60)')
  relay.leadTo(standby.port)
}

/** Waits until commits wait for the standby. */
async function beSynchronous(url: string): Promise<void> {
  await ask(url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await ask(url, 'SELECT pg_reload_conf()')
  const deadline = Date.now() + 60_000
  while ((await ask(url, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0) {
    if (Date.now() > deadline) throw new Error('the standby did not become synchronous')
    await wait(50)
  }
}

async function warnings(url: string): Promise<readonly string[]> {
  const deadline = Date.now() + 30_000
  while ((await ask(url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length === 0) {
    if (Date.now() > deadline) throw new Error('the standby does not follow')
    await wait(50)
  }
  await using memory = await openMemory(url)
  return (await memory.health()).warnings
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
