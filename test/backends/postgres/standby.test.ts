import pg from 'pg'
import { expect, test } from 'vitest'
import { postgresServer } from '../../../src/testing/servers/index.ts'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer({ standby: true })

/** What `health` warns of, for the role and with the setting of the connection. */
async function warnings(user = 'postgres', synchronousCommit = 'on'): Promise<readonly string[]> {
  const url = new URL(on.server.url)
  url.username = user
  url.searchParams.set('options', `-c synchronous_commit=${synchronousCommit}`)
  const memory = await on.open('memory', { url: url.href })
  const health = await memory.health()
  await memory.close()
  return health.warnings
}

async function setNames(names: string): Promise<void> {
  await on.ask(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await on.ask('SELECT pg_reload_conf()')
  const isSet = () =>
    on.ask<{ names: string }>('SHOW synchronous_standby_names').then(([row]) => Object.values(row ?? {}))
  await expect.poll(isSet).toEqual([names])
}

test('postgres.7: a standby that commits do not wait for is warned about, one that they wait for is not', async () => {
  await (await on.open('memory')).close()
  await on.ask(
    'CREATE ROLE agent LOGIN; GRANT USAGE ON SCHEMA memory TO agent; GRANT SELECT ON ALL TABLES IN SCHEMA memory TO agent',
  )
  await expect.poll(() => on.ask("SELECT FROM pg_stat_replication WHERE state = 'streaming'")).toHaveLength(1)
  const empty = /a failover can lose acknowledged writes.*synchronous_standby_names is empty; name the standby/
  expect(await warnings()).toEqual([expect.stringMatching(empty)])
  expect(await warnings('agent')).toEqual([expect.stringMatching(empty)])

  await setNames('*')
  for (const level of ['remote_write', 'on', 'remote_apply']) expect(await warnings('postgres', level)).toEqual([])
  expect(await warnings('agent')).toEqual([])
  expect(await warnings('postgres', 'local')).toEqual([
    expect.stringMatching(/a failover can lose.*synchronous_commit is local; set it to on/),
  ])
  await setNames('')

  await on.ask('REVOKE SELECT ON pg_stat_replication FROM PUBLIC')
  expect(await warnings('agent')).toEqual([expect.stringContaining('the role may not see whether there is a standby')])
})

test('postgres.7: a subscriber of logical changes is no standby', async () => {
  await using server = await postgresServer({ own: true, config: { wal_level: 'logical' } })
  const memory = await on.open(freshSchema(), { url: server.url })
  await on.ask('CREATE PUBLICATION all_of_it FOR ALL TABLES', server.url)
  await on.ask("SELECT pg_create_logical_replication_slot('subscriber', 'pgoutput')", server.url)
  const subscriber = new pg.Client({ connectionString: `${server.url}?replication=database` })
  subscriber.on('error', () => {})
  await subscriber.connect()
  const senders = (state: string) => on.ask(`SELECT FROM pg_stat_replication WHERE state ${state}`, server.url)
  await expect.poll(() => senders("= 'startup'")).toHaveLength(1)
  expect((await memory.health()).warnings).toEqual([])
  const options = "proto_version '1', publication_names 'all_of_it'"
  subscriber.query(`START_REPLICATION SLOT subscriber LOGICAL 0/0 (${options})`).catch(() => {})
  await expect.poll(() => senders("<> 'startup'")).toHaveLength(1)
  const { warnings, details } = await memory.health()
  expect(warnings).toEqual([])
  expect(details).toMatchObject({ standbys: 0 })
  await memory.close()
})
