import type { SummaryInput, ToolCallRecord } from '../../../../core/entries.ts'
import type { CompactOptions, SnapshotOptions, TrimOptions } from '../../../../core/types.ts'
import type { FullStore } from '../../../case.ts'
import { turns } from '../../helpers/samples.ts'

const operationId = 'operation-1'

/** The same call with two different contents, which must never count as one operation. */
export type Pair = [name: string, write: (store: FullStore, session: string, second: boolean) => Promise<unknown>]

const messagePair = (name: string, first: unknown[], second: unknown[]): Pair => [
  name,
  (store, session, isSecond) => store.addMessages(session, (isSecond ? second : first) as never, { operationId }),
]
const said = { role: 'user', content: 'hello' }
export const otherContents: Pair[] = [
  messagePair('a turn more', turns(2), turns(3)),
  messagePair('a turn less', turns(3), turns(2)),
  messagePair('another first turn', turns(3), [said, ...turns(2, 2)]),
  messagePair('another last turn', turns(3), [...turns(2), said]),
  messagePair('another order', turns(2), turns(2).toReversed()),
  messagePair('another role', [said], [{ ...said, role: 'assistant' }]),
  messagePair('a field more', [said], [{ ...said, note: 1 }]),
  messagePair(
    'another field far inside',
    [{ ...said, metadata: { a: [{ b: 1 }] } }],
    [{ ...said, metadata: { a: [{ b: 2 }] } }],
  ),
  messagePair(
    'the end of a long text',
    [{ ...said, content: `${'x'.repeat(70_000)}1` }],
    [{ ...said, content: `${'x'.repeat(70_000)}2` }],
  ),
  ...(
    [
      ['result', { id: 'c', name: 'n', result: 1 }, { id: 'c', name: 'n', result: 2 }],
      ['error', { id: 'c', name: 'n' }, { id: 'c', name: 'n', error: 'e' }],
    ] satisfies [string, ToolCallRecord, ToolCallRecord][]
  ).map(
    ([name, first, second]): Pair => [
      `another ${name} of a tool call`,
      (store, session, isSecond) => store.recordToolCall(session, isSecond ? second : first, { operationId }),
    ],
  ),
  ...(
    [
      ['text', { text: 'a' }, { text: 'b' }],
      ['embedding', { text: 'a', embedding: [1, 2] }, { text: 'a', embedding: [1, 3] }],
    ] satisfies [string, SummaryInput, SummaryInput][]
  ).map(
    ([name, first, second]): Pair => [
      `another ${name} of a summary`,
      (store, session, isSecond) => store.addSummary(session, isSecond ? second : first, { operationId }),
    ],
  ),
  ...(
    [
      ['label', { label: 'a' }, { label: 'b' }],
      ['id', { id: 'a' }, { id: 'b' }],
    ] satisfies [string, SnapshotOptions, SnapshotOptions][]
  ).map(
    ([name, first, second]): Pair => [
      `another ${name} of a snapshot`,
      (store, session, isSecond) => store.saveSnapshot(session, { ...(isSecond ? second : first), operationId }),
    ],
  ),
  [
    'another entry',
    (store, session, second) =>
      store.addEntries(session, [{ kind: 'record', record: { type: second ? 'b' : 'a' } }], { operationId }),
  ],
  [
    'another kind of entry',
    (store, session, second) =>
      store.addEntries(session, [{ kind: 'summary', standsIn: second, summary: { text: 'a' } }], { operationId }),
  ],
  ['another trim', (store, session, second) => store.trim(session, { maxEntries: second ? 1 : 3, operationId })],
  ...(
    [
      ['that starts elsewhere', {}, { startOn: 'user' }],
      ['that keeps system messages', {}, { keepSystem: true }],
      ['that cuts records', {}, { records: 'cut' }],
      ['to other tokens', { maxTokens: 3, countTokens: () => 1 }, { maxTokens: 2, countTokens: () => 1 }],
    ] satisfies [string, Partial<TrimOptions>, Partial<TrimOptions>][]
  ).map(
    ([name, first, second]): Pair => [
      `a trim ${name}`,
      (store, session, isSecond) => store.trim(session, { maxEntries: 2, ...(isSecond ? second : first), operationId }),
    ],
  ),
  ...(
    [
      ['role of a compaction', { keep: 2 }, { keep: 2, summaryRole: 'user' }],
      ['number of tokens', { keepTokens: 3, countTokens: () => 1 }, { keepTokens: 2, countTokens: () => 1 }],
    ] satisfies [string, Partial<CompactOptions>, Partial<CompactOptions>][]
  ).map(
    ([name, first, second]): Pair => [
      `another ${name}`,
      (store, session, isSecond) =>
        store.compact(session, { ...(isSecond ? second : first), summarize: () => 'sum', operationId }),
    ],
  ),
  [
    'another compaction',
    (store, session, second) => store.compact(session, { keep: second ? 1 : 3, summarize: () => 'sum', operationId }),
  ],
  ['another rewind', (store, session, second) => store.rewind(session, { to: second ? 1 : 3, operationId })],
  [
    'a rewind that takes the entry as well',
    (store, session, second) => store.rewind(session, { ...(second ? { before: 3 } : { to: 3 }), operationId }),
  ],
  [
    'a rewind that saves what it leaves',
    (store, session, second) => store.rewind(session, { to: 3, snapshot: second, operationId }),
  ],
  [
    'another turn in place of a cut',
    (store, session, second) => store.rewind(session, { to: 3, add: turns(1, second ? 8 : 9), operationId }),
  ],
  [
    'another entry in place of a cut',
    (store, session, second) =>
      store.rewind(session, {
        to: 3,
        entries: [{ kind: 'record', record: { type: second ? 'b' : 'a' } }],
        operationId,
      }),
  ],
  [
    'another rollback',
    (store, session, second) => store.rollbackToSnapshot(session, second ? 'q' : 'p', { operationId }),
  ],
  [
    'a fork up to another entry',
    (store, session, second) => store.fork(session, `fork of ${session}`, { to: second ? 1 : 3, operationId }),
  ],
  [
    'a fork of another snapshot',
    (store, session, second) => store.fork(session, `fork of ${session}`, { at: second ? 'q' : 'p', operationId }),
  ],
  ['another deletion', (store, session, second) => store.deleteSnapshot(session, second ? 'q' : 'p', { operationId })],
  ['another title', (store, session, second) => store.describe(session, { title: second ? 'a' : 'b', operationId })],
  [
    'a part removed',
    (store, session, second) => store.describe(session, { title: 'a', ...(second && { owner: null }), operationId }),
  ],
  ['another expiry', (store, session, second) => store.expire(session, { ttl: second ? 7e7 : 8e7, operationId })],
  [
    'an expiry at a time',
    (store, session, second) => store.expire(session, { ...(second ? { at: 4e12 } : { ttl: 8e7 }), operationId }),
  ],
]
