import { barOf, isMet } from '../../bench/bars.ts'
import { calls } from '../../bench/holds/calls.ts'
import type { Line, Report } from '../../bench/report.ts'
import type { Figure } from '../../bench/row.ts'

/** Made-up results with a row for everything that is drawn: bars met and not met, won and lost, texts that need escaping. */
export function sampleReport(): Report {
  return {
    quick: false,
    machine: { processor: 'A <fast> & "quoted" one', cores: 2, memoryGiB: 24, system: 'Linux', syncMilliseconds: 0.1 },
    versions: {
      node: '24.21.0',
      sqlite: '3.53.4',
      betterSqlite3: '13.0.3',
      unforget: '0.2.0',
      langgraphCheckpointSqlite: '1.0.4',
      redisServer: 'Redis 7.0.15',
      postgresServer: 'PostgreSQL 18.4',
      redis: '6.3.1',
      langchainRedis: '1.1.2',
      pg: '8.23.1',
      langgraphCheckpointPostgres: '1.0.5',
    },
    rows: [...ratios(), ...checkpoints(), ...holds()],
    failed: [{ name: 'recall', what: 'recall over 10,000 x 384', error: 'Error: no such <table>' }],
  }
}

function ratios(): Line[] {
  return [
    ratio('append', 'a bare insert in its own transaction', 1.62),
    ratio('append-64-one', 'the bare insert, one at a time', 5.4),
    ratio('append-64-each', 'the bare insert, one at a time', 2.4),
    ratio('history-last-50', 'at 1,000 entries', 0.996),
    ratio('snapshot-long', 'at 1,000 entries', 1.07),
    ratio('rollback-long', 'at 1,000 entries', 1.61),
    ratio('page-50', 'at 1,000 entries', 1.1),
    ratio('processes', 'one process', 0.9),
    ratio('redis-append', 'RPUSH of the same bytes', 1.29),
    ratio('redis-append-64-one', 'RPUSH of the same bytes', 0.83),
    ratio('redis-append-64-each', 'RPUSH of the same bytes', 0.52),
    ratio('redis-append-peer', 'addMessage of <@langchain/redis>', 0.726),
    ratio('redis-append-64-one-peer', 'addMessage of @langchain/redis', 0.689),
    ratio('redis-append-no-deadline', 'RPUSH by a client without a deadline', 1.55),
    ratio('redis-synced-append', 'RPUSH of the same bytes', 1.25),
    ratio('redis-synced-append-64-one', 'RPUSH of the same bytes', 0.669),
    ratio('redis-page-50', 'of 1,000 entries', 1),
    ratio('redis-history-last-50', 'of 100 entries', 0.98),
    ratio('redis-snapshot-long', 'of 1,000 entries', 0.97),
    ratio('redis-rollback-long', 'of 1,000 entries', 1.02),
    ratio('postgres-append', 'a bare INSERT through pg', 1.47),
    ratio('postgres-append-64-one', 'a bare INSERT through pg', 1.08),
    ratio('postgres-append-64-each', 'a bare INSERT through pg', 1.04),
    ratio('postgres-page-50', 'of 1,000 entries', 1),
    ratio('postgres-history-last-50', 'of 1,000 entries', 0.95),
    ratio('postgres-snapshot-long', 'of 1,000 entries', 0.98),
    ratio('postgres-rollback-long', 'of 1,000 entries', 1.02),
  ]
}

function checkpoints(): Line[] {
  const figures = (ours: number, theirs: number, unit: string): Figure[] => [
    { name: 'unforget', value: ours, unit },
    { name: 'the other', value: theirs, unit },
  ]
  return ['sqlite', 'postgres'].flatMap((where) =>
    [100, 1000, 10_000].flatMap((at) => [
      line(`langgraph-${where}-${at}-bytes`, 'the other', 0.02, figures(at * 1100, at * 55_000, 'bytes')),
      line(`langgraph-${where}-${at}-put`, 'the other', at < 10_000 ? 1.3 : 0.58, figures(0.41, 0.7, 'ms')),
      line(`langgraph-${where}-${at}-get`, 'the other', 3.76, figures(1.9 + at / 9000, 0.8, 'ms')),
      line(`langgraph-${where}-${at}-list`, 'the other', 0.98, figures(5.1, 5.2, 'ms')),
    ]),
  )
}

function holds(): Line[] {
  return ['memory', 'SQLite', 'Redis', 'PostgreSQL'].flatMap((where, place) =>
    calls.map(({ name }, index) => {
      const held = name === 'importSession' ? ([168, 149, 161, 171][place] ?? 0) : 0.4 + ((index * 7 + place * 3) % 40)
      const locked = ['sweep', 'importSession'].includes(name) ? 240 : index
      const figures = [
        { name: 'event loop held', value: held, unit: 'ms' },
        ...(where === 'SQLite' ? [{ name: 'lock held', value: locked, unit: 'ms' }] : []),
        { name: 'took', value: 1000, unit: 'ms' },
      ]
      const share = Math.max(held / 50, where === 'SQLite' ? locked / 200 : 0)
      const row = line(`hold-${where}-${name}`.replaceAll(/\W+/g, '-').toLowerCase(), '50 ms', share, figures)
      return { ...row, what: `${where}, 1,000,000 entries: ${name}` }
    }),
  )
}

function ratio(name: string, baseline: string, median: number): Line {
  return line(name, baseline, median, [{ name: 'ours', value: median / 10, unit: 'ms' }])
}

function line(name: string, baseline: string, median: number, figures: readonly Figure[]): Line {
  const bar = barOf(name)
  return {
    name,
    what: `${name}, described`,
    baseline,
    bar,
    rounds: 30,
    ratio: { min: median * 0.8, q1: median * 0.93, median, q3: median * 1.06, max: median * 1.3 },
    met: bar === null ? null : isMet(bar, median),
    figures,
    date: '2026-11-18T11:30:00.000Z',
    seconds: 5,
  }
}
