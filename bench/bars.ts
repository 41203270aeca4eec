/** What a ratio must keep. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number }

export interface SetBar {
  /** The row's name. With `*` at the end: every row whose name begins like this. */
  readonly row: string
  readonly bar: Bar
  /** What was measured that shows why it cannot be met. The page shows it only if the bar is not met. */
  readonly unmet?: string
}

const appendedAlone =
  'The time is spent inside SQLite: 175 of 189 µs in a profile of 7,500 appends. An append writes the entry, its place in the index and the row of the session, each on a page of its own: 6.9 writes to the log, where the bare insert makes 2.6 (counted by strace), and one sync each. [Decision 29](decisions/29-cost-of-an-append.md) says what was done about the rest.'
const sharedFile =
  'Handing the lock over costs what a queue could not save: the next process has to wake up, and after a commit of somebody else its pages are stale, so the row of the session has to be read and checked again. Turns of 8 ms instead of 4 hand over less often and were less even, 0.32 to 0.53 ([decision 34](decisions/34-turns-at-the-lock.md)).'
const manyCuts =
  'By then the path has 1,000 ranges, and is put together from up to 128 differences. With whole paths alone, as in 0.1, it was 2.43 x and the file three times as large; with differences alone 7.72 x, and the file 1.08 times as large ([decision 02](decisions/02-sqlite-layout.md)).'
const appendedTogether =
  'Callers share one sync, so what is left is processor time. The SQL alone takes 1.3 times the processor time of a bare insert in a batch for one session and 3.0 times for 64, because each session has a row to update ([decision 29](decisions/29-cost-of-an-append.md)). The slower the disk, the slower the bare insert: with every sync of the same disk slowed down to 0.31 ms, the two rows of 0.1 were 9.46 x and 5.35 x.'
const processorTime =
  'The bar is half of what 0.1 took: 6.1 times a bare insert in a batch for one session, 8.8 times for 64. What remains is copying, encoding and promises, and the insert; a fifth is garbage collection ([decision 29](decisions/29-cost-of-an-append.md)).'
const memoryProcessorTime =
  'The bar is half of what 0.1 took: 2.7 to 3.0 times a bare insert in a batch, in three runs that alternated with this version. What remains is copying, encoding and promises ([decision 29](decisions/29-cost-of-an-append.md)).'
const redisScript =
  'An append is a script: it looks up the operation, adds the entry and writes the head. A bare `XADD` takes as long as `RPUSH`, and the cheapest script already takes 1.09 times as long one at a time and gives 0.86 times the throughput at once. Counted in instructions of the server, `RPUSH` takes 8,000, an append alone 115,200, 36,200 if sixteen to one session share a script, and 76,700 if sixteen to sixteen sessions do ([decision 12](decisions/12-redis.md), [decision 29](decisions/29-cost-of-an-append.md)).'
const redisPeer =
  '`@langchain/redis` sends one `RPUSH` by an older client without deadlines. With the bare client, an empty script with the keys and arguments of an append takes as long as its whole `addMessage` (75.6 and 75.9 µs one at a time), and one that also adds the entry and remembers the operation 83.8 µs; measured on 0.1.'
const postgresAppend =
  'An append is one function call that locks the session, moves its head, writes the entry and remembers the operation: three rows, where the insert writes one. Called by the bare client, the function alone takes 0.31 ms where the insert takes 0.24, which is 1.29 times; measured on 0.1.'
const checkedReads =
  'Every entry is compared with its checksum. Reading 1,000 took 0.64 ms of processor time in 0.1, which had no checksums, and takes 1.11 to 1.17 ms since, where the bare read takes 0.42 to 0.46. In a profile of 2,500 reads, 24 % is fetching the columns, 19 % decoding JSON, 15 % CRC-32, 10 % taking the checksum out of the text of each entry, and 9 % garbage collection.'
const collected =
  'The figures of each row have the longest garbage collection of the call next to what it held. Where the two are close, the collection is what held the event loop: how long V8 takes to collect millions of live objects cannot be sliced ([decision 19](decisions/19-slices.md)).'

/** Every bar there is. A row without one is a figure. */
export const bars: readonly SetBar[] = [
  { row: 'append', bar: { atMost: 1.5 }, unmet: appendedAlone },
  { row: 'append-checksums', bar: { atMost: 0.03 } },
  { row: 'append-64-one', bar: { atLeast: 5 }, unmet: appendedTogether },
  { row: 'append-64-each', bar: { atLeast: 3 }, unmet: appendedTogether },
  { row: 'append-cpu-one', bar: { atMost: 3.05 }, unmet: processorTime },
  { row: 'append-cpu-each', bar: { atMost: 4.4 }, unmet: processorTime },
  { row: 'snapshot-long', bar: { atMost: 1.5 } },
  { row: 'rollback-long', bar: { atMost: 1.5 } },
  { row: 'history-last-50', bar: { atMost: 1.5 } },
  { row: 'page-50', bar: { atMost: 1.5 } },
  { row: 'snapshot-after-rollbacks', bar: { atMost: 3 } },
  { row: 'rollback-after-rollbacks', bar: { atMost: 3 }, unmet: manyCuts },
  { row: 'bytes-after-rollbacks', bar: { atMost: 1.5 } },
  { row: 'history-1000', bar: { atMost: 1.2 }, unmet: checkedReads },
  { row: 'file-size', bar: { atMost: 2 } },
  { row: 'processes', bar: { atLeast: 0.85 }, unmet: sharedFile },
  { row: 'processes-fairness', bar: { atLeast: 0.6 } },
  { row: 'memory-append-cpu', bar: { atMost: 1.4 }, unmet: memoryProcessorTime },
  { row: 'recall', bar: { atMost: 1.5 } },
  { row: 'golden-equal', bar: { atMost: 2.5 } },
  { row: 'golden-diff', bar: { atMost: 3 } },
  { row: 'redis-append', bar: { atMost: 1.3 }, unmet: redisScript },
  { row: 'redis-append-64-one', bar: { atLeast: 0.8 }, unmet: redisScript },
  { row: 'redis-append-64-each', bar: { atLeast: 0.8 }, unmet: redisScript },
  { row: 'redis-append-peer', bar: { atLeast: 0.9 }, unmet: redisPeer },
  { row: 'redis-append-64-one-peer', bar: { atLeast: 0.9 }, unmet: redisPeer },
  { row: 'redis-synced-append', bar: { atMost: 1.3 }, unmet: redisScript },
  { row: 'redis-synced-append-64-one', bar: { atLeast: 0.8 }, unmet: redisScript },
  { row: 'redis-history-last-50', bar: { atMost: 1.5 } },
  { row: 'redis-page-50', bar: { atMost: 1.5 } },
  { row: 'redis-snapshot-long', bar: { atMost: 1.5 } },
  { row: 'redis-rollback-long', bar: { atMost: 1.5 } },
  { row: 'postgres-append', bar: { atMost: 1.4 }, unmet: postgresAppend },
  { row: 'postgres-append-64-one', bar: { atLeast: 1 } },
  { row: 'postgres-append-64-each', bar: { atLeast: 1 } },
  { row: 'postgres-append-queued', bar: { atMost: 1.5 } },
  { row: 'postgres-history-last-50', bar: { atMost: 1.5 } },
  { row: 'postgres-page-50', bar: { atMost: 1.5 } },
  { row: 'postgres-snapshot-long', bar: { atMost: 1.5 } },
  { row: 'postgres-rollback-long', bar: { atMost: 1.5 } },
  { row: 'langgraph-sqlite-100-put', bar: { atMost: 1 } },
  { row: 'langgraph-sqlite-1000-put', bar: { atMost: 1 } },
  { row: 'langgraph-sqlite-10000-put', bar: { atMost: 1 } },
  { row: 'langgraph-pruned-get', bar: { atMost: 2 } },
  {
    row: 'owner-page-redis-busy',
    bar: { atMost: 1 },
    unmet:
      'Of a page for 10,000 sessions, Redis needs 3 ms to read when each was last written and 2 ms to compare, and it cannot read fewer ([decision 25](decisions/25-long-lists-and-ended-logs.md)).',
  },
  { row: 'owner-page-*', bar: { atMost: 1 } },
  { row: 'hold-*', bar: { atMost: 1 }, unmet: collected },
]

/** The first that fits. */
export function setBarOf(name: string): SetBar | undefined {
  return bars.find(({ row }) => (row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : name === row))
}

export function barOf(name: string): Bar | null {
  return setBarOf(name)?.bar ?? null
}

export function isMet(bar: Bar, ratio: number): boolean {
  return 'atMost' in bar ? ratio <= bar.atMost : ratio >= bar.atLeast
}

export function printBar(bar: Bar): string {
  return 'atMost' in bar ? `≤ ${bar.atMost} x` : `≥ ${bar.atLeast} x`
}
