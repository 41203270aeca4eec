/**
 * The tables, by name, with the column that identifies the session and by which `partitions` splits them.
 *
 * - `sessions` is keyed by the SHA-256 of the id, which may be of any length and hold any character. `session` is a number that is never
 *   reused, so that all else is found by eight bytes and an erased session is gone at once. `known_until` is how long operations of an earlier
 *   session of the same id are remembered, `prune_at` the counter at which operations are forgotten next.
 * - `names` repeats the id, so that a session whose row is lost is noticed and known by its name. It holds what describes a session as well, because
 *   an append does not touch it.
 * - `summaries` repeats the seqs of summaries, for `recall` to find them, and to miss one that is lost.
 * - `erased` lists the sessions whose entries are still to be removed.
 *
 * What version 2 added is in `tables-2.ts`.
 */
const tables: readonly { name: string; split?: string; settings?: string; columns: string }[] = [
  {
    name: 'sessions',
    split: 'key',
    settings: 'fillfactor = 50',
    columns: `
  key bytea NOT NULL PRIMARY KEY,
  session bigint NOT NULL,
  id bytea NOT NULL,
  birth text NOT NULL,
  counter bigint NOT NULL,
  nonce text NOT NULL,
  epoch bigint NOT NULL,
  epoch_nonce text NOT NULL,
  last bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  ttl double precision,
  own_ttl boolean NOT NULL,
  expires_at double precision,
  known_until bigint,
  prune_at bigint NOT NULL`,
  },
  {
    name: 'names',
    split: 'key',
    columns: `
  key bytea NOT NULL PRIMARY KEY,
  session bigint NOT NULL,
  id bytea NOT NULL`,
  },
  {
    name: 'epochs',
    split: 'session',
    columns: `
  session bigint NOT NULL,
  number bigint NOT NULL,
  path text NOT NULL,
  PRIMARY KEY (session, number)`,
  },
  {
    name: 'entries',
    split: 'session',
    columns: `
  session bigint NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  format integer NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  bytes bytea,
  PRIMARY KEY (session, seq)`,
  },
  {
    name: 'summaries',
    split: 'session',
    columns: `
  session bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (session, seq)`,
  },
  {
    name: 'snapshots',
    split: 'session',
    columns: `
  session bigint NOT NULL,
  key bytea NOT NULL,
  id bytea NOT NULL,
  label text,
  automatic boolean NOT NULL,
  epoch bigint NOT NULL,
  last bigint NOT NULL,
  at bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (session, key)`,
  },
  {
    name: 'operations',
    split: 'session',
    columns: `
  session bigint NOT NULL,
  operation bytea NOT NULL,
  number bigint NOT NULL,
  digest text NOT NULL,
  version text NOT NULL,
  epoch text NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL,
  at bigint NOT NULL,
  answer text,
  PRIMARY KEY (session, operation)`,
  },
  {
    name: 'erased_operations',
    columns: `
  key bytea NOT NULL,
  operation bytea NOT NULL,
  digest text NOT NULL,
  version text NOT NULL,
  epoch text NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL,
  at bigint NOT NULL,
  answer text,
  until bigint NOT NULL,
  PRIMARY KEY (key, operation)`,
  },
  {
    name: 'erased',
    columns: `
  session bigint NOT NULL PRIMARY KEY`,
  },
]

const indexes = [
  ['sessions_by_expiry', 'sessions', '(expires_at) WHERE expires_at IS NOT NULL'],
  ['names_by_session', 'names', '(session)'],
  ['automatic_snapshots', 'snapshots', '(session, number) WHERE automatic'],
  ['erased_operations_by_end', 'erased_operations', '(until)'],
]

export const firstTableNames: readonly string[] = tables.map(({ name }) => name)

/** `schema` is quoted already. */
export function tablesSql(schema: string, partitions: number): string {
  return [
    `CREATE SEQUENCE ${schema}.session_numbers;`,
    ...tables.flatMap(({ name, split, settings, columns }) => {
      const table = `CREATE TABLE ${schema}.${name} (${columns}\n)`
      const stored = settings === undefined ? '' : ` WITH (${settings})`
      if (partitions === 0 || split === undefined) return `${table}${stored};`
      return [
        `${table} PARTITION BY HASH (${split});`,
        ...Array.from({ length: partitions }, (_, index) => {
          const part = `${schema}.${name}_${index} PARTITION OF ${schema}.${name}`
          return `CREATE TABLE ${part} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${index})${stored};`
        }),
      ]
    }),
    ...indexes.map(([name, table, what]) => `CREATE INDEX ${name} ON ${schema}.${table} ${what};`),
  ].join('\n')
}
