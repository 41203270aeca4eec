import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bars } from '../../bench/bars.ts'

const script = fileURLToPath(new URL('../../bench/bench.ts', import.meta.url))
let folder: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'unforget-test-'))
  env = { ...process.env, TMPDIR: folder }
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run bench', () => {
  test('prints a table and writes it as JSON, and a quick run is compared with no bar', () => {
    const file = path.join(folder, 'results.json')
    const { status, stdout, stderr } = bench('--quick', '--only', 'one at a time', '--json', file)
    expect(stderr).toMatch(/^1\/1 one message appended, one at a time: .+ x .+, not compared; the last row\n$/)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^QUICK run/)
    expect(stdout).toMatch(/^\| what +\| compared with +\| bar +\| measured +\| quartiles +\| rounds +\|/m)
    expect(stdout).toMatch(
      /^\| one message appended, one at a time +\| .+ \| ≤ 1\.5 x \| .+ x +\| .+ – .+ \| not compared \|$/m,
    )
    expect(stdout).not.toMatch(/\| (met|NOT MET) +\|/)

    const report = JSON.parse(readFileSync(file, 'utf8')) as unknown
    expect(report).toEqual({
      quick: true,
      machine: {
        processor: expect.any(String),
        cores: expect.any(Number),
        memoryGiB: expect.any(Number),
        system: expect.any(String),
        syncMilliseconds: expect.any(Number),
      },
      versions: {
        node: process.versions.node,
        sqlite: expect.stringMatching(/^3\./),
        betterSqlite3: expect.stringMatching(/^\d+\./),
        unforget: expect.stringMatching(/^\d+\./),
        langgraphCheckpointSqlite: expect.stringMatching(/^\d+\./),
        redisServer: expect.stringMatching(/^(Redis|Valkey) \d+\./),
        postgresServer: expect.stringMatching(/^PostgreSQL \d+\./),
        redis: expect.stringMatching(/^\d+\./),
        langchainRedis: expect.stringMatching(/^\d+\./),
        pg: expect.stringMatching(/^\d+\./),
        langgraphCheckpointPostgres: expect.stringMatching(/^\d+\./),
      },
      rows: [row],
      failed: [],
    })
  })

  test('rows without a bar are figures alone', () => {
    const { stdout } = bench('--quick', '--only', 'memory store: append')
    expect(stdout).toMatch(/^\| memory store: append +\| – +\| – +\| – +\| – +\| 3 +\| figures \|$/m)
    expect(stdout).toMatch(/^- memory store: append: addMessages \S+ ms, /m)
  })

  test('rows on Redis are measured on servers of the run, with a bar and without', () => {
    const { status, stdout, stderr } = bench('--quick', '--only', 'redis')
    expect(stderr).toMatch(/^1\/\d+ Redis: .+; about \d+ minutes? left\n2\//)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\| Redis: append, one after another +\| RPUSH of .+ \| ≤ 1\.3 x +\| .+ x +\| .+ \|$/m)
    expect(stdout).toMatch(/^\| Redis, appendfsync always: append, one after another +\| RPUSH of /m)
    expect(stdout).toMatch(/^- Redis: memory of the server .+: per entry \d+ bytes, list \d+ bytes, /m)
    expect(stdout.match(/^\| Redis(?!, 1,000,000)/gm)).toHaveLength(16)
    expect(stdout).toMatch(/^\| Redis, 1,000,000 entries: fork /m)
  })

  test('says in one line how to get a server where there is none', () => {
    env = { ...env, PATH: folder, UNFORGET_REDIS_SERVER: '' }
    const { status, stderr } = bench('--quick', '--only', 'redis-bytes')
    expect(status).toBe(2)
    expect(stderr).toMatch(/^bench: neither redis-server nor valkey-server is on the PATH\. .+\n$/)
  })

  test.each([
    ['processes', 'to its end'],
    ['processes', 'to an interruption'],
    ['redis', 'to its end'],
    ['redis', 'to an interruption'],
  ])('leaves nothing of %s behind when it runs %s', async (only, until) => {
    const child = spawn(process.execPath, command('--quick', '--only', only), {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const complaint = text(child.stderr)
    await expect.poll(leftBehind).toHaveLength(only === 'redis' ? 2 : 1)
    if (until === 'to an interruption') child.kill('SIGINT')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code, await complaint).toBe(until === 'to an interruption' ? 130 : 0)
    await expect.poll(leftBehind).toEqual([])
  })

  test('puts rows into the results of an earlier run, and measures what is missing there', () => {
    const file = path.join(folder, 'results.json')
    const namesAfter = (...args: string[]) => {
      const { status, stderr } = bench('--quick', '--json', file, ...args)
      expect(status, stderr).toBe(0)
      return (JSON.parse(readFileSync(file, 'utf8')) as { rows: { name: string }[] }).rows.map(({ name }) => name)
    }
    const all = ['memory-append', 'memory-append-cpu', 'memory-history-last-50']
    expect(namesAfter('--only', 'memory-history')).toEqual(all.slice(2))
    expect(namesAfter('--only', 'memory-append-cpu', '--merge')).toEqual(all.slice(1))
    expect(bench('--json', file, '--missing', '--only', 'memory store:', '--list').stdout).toBe('memory-append\n')
    expect(namesAfter('--only', 'memory store:', '--missing')).toEqual(all)
    expect(bench('--json', file, '--merge', '--only', 'memory-append').stderr).toMatch(
      /^bench: the results are of another machine, other versions or a quick run: .+\n$/,
    )
  })

  test('a run of a part does not replace the results of the last full one', () => {
    const { stdout } = bench('--quick', '--only', 'memory-append')
    expect(stdout).not.toContain('Written to')
  })

  test('names every row of the table', () => {
    const names = bench('--list').stdout.trim().split('\n')
    const holds = names.filter((name) => name.startsWith('hold-'))
    for (const where of ['memory', 'sqlite', 'redis', 'postgresql']) {
      expect(holds.filter((name) => name.startsWith(`hold-${where}-`))).toHaveLength(holds.length / 4)
      expect(holds).toContain(`hold-${where}-fork`)
    }
    expect(names.filter((name) => !holds.includes(name))).toEqual([
      'append',
      'append-checksums',
      'append-64-one',
      'append-64-each',
      'append-cpu-one',
      'append-cpu-each',
      'snapshot-long',
      'rollback-long',
      'history-last-50',
      'page-50',
      'snapshot-after-rollbacks',
      'rollback-after-rollbacks',
      'bytes-after-rollbacks',
      'append-kept-records',
      'history-kept-records',
      'history-1000',
      'file-size',
      'file-size-peer',
      'processes',
      'processes-fairness',
      'memory-append',
      'memory-append-cpu',
      'memory-history-last-50',
      'recall',
      'golden-equal',
      'golden-diff',
      'redis-append',
      'redis-append-64-one',
      'redis-append-64-each',
      'redis-append-no-deadline',
      'redis-append-64-one-no-deadline',
      'redis-append-peer',
      'redis-append-64-one-peer',
      'redis-synced-append',
      'redis-synced-append-64-one',
      'redis-history-last-50',
      'redis-page-50',
      'redis-snapshot-long',
      'redis-rollback-long',
      'redis-bytes',
      'postgres-append',
      'postgres-append-64-one',
      'postgres-append-64-each',
      'postgres-append-apart',
      'postgres-append-queued',
      'postgres-history-last-50',
      'postgres-page-50',
      'postgres-snapshot-long',
      'postgres-rollback-long',
      'postgres-bytes',
      'postgres-bytes-peer',
      'langgraph-sqlite-100-bytes',
      'langgraph-sqlite-100-put',
      'langgraph-sqlite-100-get',
      'langgraph-sqlite-100-list',
      'langgraph-sqlite-1000-bytes',
      'langgraph-sqlite-1000-put',
      'langgraph-sqlite-1000-get',
      'langgraph-sqlite-1000-list',
      'langgraph-sqlite-10000-bytes',
      'langgraph-sqlite-10000-put',
      'langgraph-sqlite-10000-get',
      'langgraph-sqlite-10000-list',
      'langgraph-pruned-get',
      'langgraph-postgres-100-bytes',
      'langgraph-postgres-100-put',
      'langgraph-postgres-100-get',
      'langgraph-postgres-100-list',
      'langgraph-postgres-1000-bytes',
      'langgraph-postgres-1000-put',
      'langgraph-postgres-1000-get',
      'langgraph-postgres-1000-list',
      'langgraph-postgres-10000-bytes',
      'langgraph-postgres-10000-put',
      'langgraph-postgres-10000-get',
      'langgraph-postgres-10000-list',
      'owner-page-memory-owner-7',
      'owner-page-memory-busy',
      'owner-page-sqlite-owner-7',
      'owner-page-sqlite-busy',
      'owner-page-redis-owner-7',
      'owner-page-redis-busy',
      'owner-page-postgresql-owner-7',
      'owner-page-postgresql-busy',
      'carries-sqlite',
      'carries-sqlite-process',
      'carries-redis',
      'carries-redis-everysec',
      'carries-redis-always',
      'carries-redis-cluster',
      'carries-postgres',
      'carries-postgres-16',
    ])
  })

  test('every bar is the bar of a row', () => {
    const names = bench('--list').stdout.trim().split('\n')
    const isOf = (row: string, name: string) => (row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : name === row)
    expect(bars.filter(({ row }) => !names.some((name) => isOf(row, name)))).toEqual([])
  })

  test('explains itself', () => {
    expect(bench('--help').stdout).toContain('Usage: npm run bench')
  })

  test.each([
    ['a row that there is not', ['--only', 'no such row'], "no row is named anything like 'no such row'"],
    ['an option that there is not', ['--fast'], '--fast'],
  ])('says in one line that it does not know %s', (_, args, message) => {
    const { status, stderr, stdout } = bench(...args)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(message)
  })
})

const row = {
  name: 'append',
  what: 'one message appended, one at a time',
  baseline: expect.any(String),
  bar: { atMost: 1.5 },
  rounds: 3,
  ratio: {
    min: expect.any(Number),
    q1: expect.any(Number),
    median: expect.any(Number),
    q3: expect.any(Number),
    max: expect.any(Number),
  },
  met: null,
  date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  seconds: expect.any(Number),
  figures: [
    { name: 'addMessages', value: expect.any(Number), unit: 'ms' },
    { name: 'bare insert', value: expect.any(Number), unit: 'ms' },
  ],
}

function leftBehind(): string[] {
  return readdirSync(folder).filter((name) => /^unforget-(bench|server)-/.test(name))
}

function command(...args: string[]): string[] {
  expect(existsSync(new URL('../../dist/index.js', import.meta.url)), 'the bench needs the built package').toBe(true)
  return ['--import', 'tsx', script, ...args]
}

function bench(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, command(...args), { encoding: 'utf8', env, timeout: 1_500_000 })
}
