import { describe, expect, test } from 'vitest'
import { checkHistory } from '../../chaos/checker/check-history.ts'
import { describeHistory, describeViolation } from '../../chaos/checker/describe-history.ts'
import type { Call, Operation, Outcome, Result } from '../../chaos/checker/history.ts'
import { shrink } from '../../chaos/checker/shrink.ts'
import { summaryOf } from '../../chaos/checker/state.ts'

const message = (text: string) => ({ kind: 'message', text }) as const
const version = (counter: number) => `b.${counter}.n${counter}`
const first = 'b.1.n1'

/** Each operation takes the millisecond after the one before it, in a process of its own. */
function history(...steps: readonly [Call, Outcome | null | Result, Partial<Operation>?][]): Operation[] {
  return steps.map(([call, answer, more], index) => {
    const outcome: Outcome | null =
      answer === null || 'is' in answer ? (answer as Outcome | null) : { is: 'ok', result: answer as Result }
    const attempt = {
      process: `p${index}`,
      invoked: index * 1000,
      returned: outcome === null ? null : index * 1000 + 500,
      outcome,
    }
    return { id: `o${index}`, session: 's', call, attempts: [attempt], ...more }
  })
}

const append = (...texts: string[]): Call => ({ method: 'append', items: texts.map(message) })
const at = (counter: number, result: Result = {}, epoch = first): Result => ({
  version: version(counter),
  epoch,
  ...result,
})
const read = (counter: number, seqs: number[], texts: string[], epoch = first): [Call, Result] => [
  { method: 'read' },
  at(counter, { seqs, items: texts.map(message) }, epoch),
]
const refused = (code: string): Outcome => ({ is: 'refused', code })
const unknown: Outcome = { is: 'unknown', code: 'TIMEOUT' }

const rulesOf = (operations: readonly Operation[]) => checkHistory(operations).map(({ rule }) => rule)

describe('a sound history passes', () => {
  test('with every kind of write', () => {
    const steps = history(
      [append('a', 'b', 'c'), at(1, { seqs: [1, 2, 3] })],
      [{ method: 'saveSnapshot', snapshot: 'x' }, at(2)],
      [{ method: 'trim', keep: 2 }, at(3, { count: 1 })],
      read(3, [2, 3], ['b', 'c']),
      [{ method: 'compact', keep: 1 }, at(4, { count: 1, seq: 4 })],
      [{ method: 'read' }, at(4, { seqs: [4, 3], items: [{ kind: 'summary', text: summaryOf(['b']) }, message('c')] })],
      [{ method: 'rollback', snapshot: 'x' }, at(5, { leftBehind: 'auto' }, 'b.4.n5')],
      read(5, [1, 2, 3], ['a', 'b', 'c'], 'b.4.n5'),
      [{ method: 'rewind', to: 1, add: ['d'] }, at(6, { removed: [2, 3], seqs: [5] }, 'b.5.n6')],
      read(6, [1, 5], ['a', 'd'], 'b.5.n6'),
      [{ method: 'read', at: 'x' }, at(6, { seqs: [1, 2, 3], items: ['a', 'b', 'c'].map(message) }, 'b.5.n6')],
      [{ method: 'listSnapshots' }, { snapshots: [['x', 3]] }],
      [{ method: 'clear' }, at(7, {}, 'b.6.n7')],
      read(7, [], [], 'b.6.n7'),
    )
    expect(checkHistory(steps)).toEqual([])
  })

  test('if an unknown write was applied, and if it was not', () => {
    const open: [Call, Outcome] = [append('b'), unknown]
    const begin: [Call, Result] = [append('a'), at(1, { seqs: [1] })]
    expect(
      rulesOf(history(begin, open, [append('c'), at(3, { seqs: [3] })], read(3, [1, 2, 3], ['a', 'b', 'c']))),
    ).toEqual([])
    expect(rulesOf(history(begin, open, [append('c'), at(2, { seqs: [2] })], read(2, [1, 2], ['a', 'c'])))).toEqual([])
  })

  test('if a rewind whose result is gone took something back', () => {
    const gone: Outcome = { is: 'gone', code: 'RESULT_GONE' }
    const steps = history(
      [append('a', 'b'), at(1, { seqs: [1, 2] })],
      [{ method: 'rewind', to: 1 }, gone],
      [append('c'), at(3, { seqs: [3] }, 'b.2.n2')],
      read(3, [1, 3], ['a', 'c'], 'b.2.n2'),
    )
    expect(checkHistory(steps)).toEqual([])
  })

  test('if what was refused is not there', () => {
    const steps = history(
      [append('a'), at(1, { seqs: [1] })],
      [{ ...append('b'), ifVersion: 'b.9.other' } as Call, refused('VERSION_CONFLICT')],
      read(1, [1], ['a']),
    )
    expect(checkHistory(steps)).toEqual([])
  })
})

const begin: [Call, Result] = [append('a'), at(1, { seqs: [1] })]
const explained = 'one order explains every result'
const shown = 'a read shows the state at its version'

test.each<[string, string, Operation[]]>([
  ['an acknowledged entry is missing', shown, history(begin, [append('b'), at(2, { seqs: [2] })], read(2, [1], ['a']))],
  ['an entry has another text', shown, history(begin, read(1, [1], ['b']))],
  ['an entry is there twice', shown, history(begin, read(1, [1, 1], ['a', 'a']))],
  [
    'a refused write is there',
    explained,
    history(begin, [append('b'), refused('TURN_LOST')], [append('c'), at(3, { seqs: [3] })]),
  ],
  ['a seq is used again', explained, history(begin, [append('b'), at(2, { seqs: [1] })])],
  ['a seq is passed over', explained, history(begin, [append('b'), at(2, { seqs: [3] })])],
  [
    'ifVersion did not hold',
    explained,
    history(
      begin,
      [append('b'), at(2, { seqs: [2] })],
      [{ ...append('c'), ifVersion: version(1) } as Call, at(3, { seqs: [3] })],
    ),
  ],
  [
    'a token of a deleted session matches',
    explained,
    history([{ ...append('a'), ifVersion: 'old.3.x' } as Call, at(1, { seqs: [1] })]),
  ],
  [
    'a deletion takes a later write along',
    'a deletion is of one version',
    history(
      begin,
      [append('b'), at(2, { seqs: [2] })],
      [{ method: 'delete', ifVersion: version(1) }, { deleted: true }],
    ),
  ],
  [
    'ifEpoch did not hold',
    explained,
    history(begin, [{ ...append('b'), ifEpoch: 'b.0.x' } as Call, at(2, { seqs: [2] })]),
  ],
  ['a trim changes the epoch', explained, history(begin, [{ method: 'trim', keep: 3 }, at(2, { count: 0 }, 'b.2.n2')])],
  ['a trim cuts too much', explained, history(begin, [{ method: 'trim', keep: 1 }, at(2, { count: 1 })])],
  [
    'a rewind keeps quiet about what it cut',
    explained,
    history(
      [append('a', 'b'), at(1, { seqs: [1, 2] })],
      [{ method: 'rewind', to: 0 }, at(2, { removed: [1], seqs: [] }, 'b.2.n2')],
    ),
  ],
  [
    'a rollback does not restore',
    shown,
    history(
      begin,
      [{ method: 'saveSnapshot', snapshot: 'x' }, at(2)],
      [append('b'), at(3, { seqs: [2] })],
      [{ method: 'rollback', snapshot: 'x' }, at(4, { leftBehind: 'l' }, 'b.2.n4')],
      read(4, [1, 2], ['a', 'b'], 'b.2.n4'),
    ),
  ],
  [
    'a snapshot reads something else',
    shown,
    history(
      begin,
      [{ method: 'saveSnapshot', snapshot: 'x' }, at(2)],
      [append('b'), at(3, { seqs: [2] })],
      [{ method: 'read', at: 'x' }, at(3, { seqs: [1, 2], items: [message('a'), message('b')] })],
    ),
  ],
  [
    'a snapshot is gone',
    'a refusal has a reason',
    history(
      begin,
      [{ method: 'saveSnapshot', snapshot: 'x' }, at(2)],
      [{ method: 'read', at: 'x' }, refused('SNAPSHOT_NOT_FOUND')],
    ),
  ],
  [
    'a snapshot is not listed',
    'snapshots are kept',
    history(
      begin,
      [{ method: 'saveSnapshot', snapshot: 'x' }, at(2)],
      [{ method: 'listSnapshots' }, { snapshots: [] }],
    ),
  ],
  [
    'a conflict without a reason',
    'a refusal has a reason',
    history(begin, [{ ...append('b'), ifVersion: version(1) } as Call, refused('VERSION_CONFLICT')]),
  ],
  [
    'a stale read',
    'the order agrees with real time',
    history(begin, [append('b'), at(2, { seqs: [2] })], read(1, [1], ['a'])),
  ],
  ['a write in the past', 'the order agrees with real time', history([append('b'), at(2, { seqs: [2] })], begin)],
  [
    'a session that is gone',
    'acknowledged means kept',
    history(begin, [{ method: 'read' }, { version: null, epoch: null, seqs: [], items: [] }]),
  ],
  [
    'two writes at one place',
    'each commit has a place of its own',
    history(begin, [append('b'), at(1, { seqs: [1] })]),
  ],
  ['a commit that nobody made', explained, history(begin, [append('b'), at(3, { seqs: [2] })])],
  ['loss', 'nothing is lost', history(begin, [{ method: 'read' }, refused('MEMORY_LOST')])],
  [
    'an error of no type',
    'every error is typed',
    history(begin, [{ method: 'read' }, { is: 'untyped', code: 'Error', message: 'oh' }]),
  ],
  ['damage', 'verify finds nothing', history(begin, [{ method: 'verify' }, { ok: false }])],
  [
    'turns that mix',
    'one turn at a time',
    history(
      [append('a'), at(1, { seqs: [1] }), { turn: 't' }],
      [append('b'), at(2, { seqs: [2] }), { turn: 'u' }],
      [append('c'), at(3, { seqs: [3] }), { turn: 't' }],
    ),
  ],
])('found: %s', (_, rule, steps) => {
  expect(rulesOf(steps)).toContain(rule)
})

test('found: a repeated operation with another result', () => {
  const [once, again] = history(begin, [append('a'), at(2, { seqs: [2] })])
  const attempts = [...(once?.attempts ?? []), ...(again?.attempts ?? [])]
  expect(rulesOf([{ ...(once as Operation), attempts }])).toContain('a repeated operation returns the first result')
})

test('found: a fork that is not whole', () => {
  const steps = history(
    begin,
    [
      { method: 'fork', target: 'f', ifVersion: version(1) },
      { version: 'f.1.x', epoch: 'f.1.x' },
    ],
    [{ method: 'read' }, { version: 'f.1.x', epoch: 'f.1.x', seqs: [], items: [] }, { session: 'f' }],
  )
  expect(rulesOf(steps)).toContain('a copy is whole')
})

test('a violation is shrunk to the operations that show it', () => {
  const appends = Array.from({ length: 30 }, (_, index): [Call, Result] => [
    append(`${index}`),
    at(index + 1, { seqs: [index + 1] }),
  ])
  const steps = history(...appends, read(7, [1, 2, 3, 4, 5, 6, 7], ['0', '1', '2', '3', '4', '5', '6']))
  const [violation] = checkHistory(steps)
  if (violation === undefined) throw new Error('a stale read is a violation')
  const few = shrink(steps, violation)
  expect(few.map(({ id }) => id)).toEqual(['o29', 'o30'])
  expect(describeViolation(violation)).toContain('the order agrees with real time')
  expect(describeHistory(few).split('\n')).toHaveLength(2)
})

test('a read that shows what a failover lost is no violation where that may happen', () => {
  const lost: [Call, Result] = [
    { method: 'read' },
    { version: 'b.2.lost', epoch: first, seqs: [1, 2], items: ['a', 'x'].map(message) },
  ]
  const steps = history(begin, lost, [append('b'), at(2, { seqs: [2] })])
  expect(checkHistory(steps)).not.toEqual([])
  expect(checkHistory(steps, { mayLoseUnacknowledged: true })).toEqual([])
})
