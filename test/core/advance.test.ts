import { describe, expect, test } from 'vitest'
import { type Advanced, advance, type Found } from '../../src/core/advance.ts'
import type { Change, EncodedEntry, OperationRecord, SessionContent } from '../../src/core/backend.ts'
import { encodeEntry } from '../../src/core/encode-entry.ts'
import { shortDigest } from '../../src/core/operation.ts'
import { epochOf, pathTokenOf, type SessionHead, versionOf } from '../../src/core/session-state.ts'

const now = 1_000_000
const head: SessionHead = {
  birth: 'birth',
  counter: 7,
  nonce: 'nonce',
  epoch: 3,
  epochNonce: 'third',
  end: 10,
  createdAt: 500,
  updatedAt: 900,
  ttl: null,
  ownTtl: false,
  expiresAt: null,
  takenBack: 2,
  takenBackNonce: 'second',
}
const operation = { id: 'op', digest: 'digest of the operation' }
const done: OperationRecord = {
  digest: operation.digest,
  committed: { version: 'v', epoch: 'e', first: 4, count: 2, at: 5, answer: 'then' },
  ended: false,
}
const entry: EncodedEntry = encodeEntry('message', { role: 'user', content: 'hi' }, 'message')

function found(parts: Partial<Found> = {}): Found {
  return {
    head,
    operation: null,
    snapshotNumber: (id) => (id === 'kept' ? 5 : undefined),
    staged: () => 0,
    holdsTurn: () => false,
    ...parts,
  }
}

function apply(change: Omit<Change, 'operation'>, parts: Partial<Found> = {}): Advanced {
  const advanced = advance('s', found(parts), { operation, ...change }, now)
  if (advanced.head === null) throw new Error('it was applied before')
  return advanced
}

const refused = (change: Omit<Change, 'operation'>, parts: Partial<Found> = {}) => {
  try {
    apply(change, parts)
  } catch (error) {
    return error
  }
  throw new Error('it was not refused')
}

describe('a session', () => {
  test('begins with the first commit, whatever that is', () => {
    const { head: begun, epochs, committed } = apply({ append: [entry, entry] }, { head: null })
    expect(begun).toMatchObject({ counter: 1, epoch: 1, end: 2, createdAt: now, updatedAt: now, expiresAt: null })
    expect(begun).toMatchObject({ ttl: null, ownTtl: false, epochNonce: begun.birth, nonce: begun.birth })
    expect(epochs).toEqual([{ number: 1, path: [[1, null]], cause: 'begin', at: now, base: null }])
    expect(committed).toMatchObject({ first: 1, count: 2 })
    expect(apply({}, { head: null }).head).toMatchObject({ counter: 1, end: 0 })
  })

  test('goes on with each: a count, a nonce, the time, and its birth stays', () => {
    const { head: after, epochs, committed } = apply({})
    expect(after).toEqual({ ...head, counter: 8, nonce: after.nonce, updatedAt: now })
    expect(after.nonce).toMatch(/^[0-9a-f]{12}$/)
    expect(epochs).toEqual([])
    expect(committed).toEqual({
      version: versionOf(after),
      epoch: epochOf(head),
      first: 11,
      count: 0,
      at: now,
      answer: null,
    })
  })
})

describe('an append', () => {
  test('takes the next seqs and the time of the commit', () => {
    const { head: after, entries, committed } = apply({ append: [entry, entry, entry] })
    expect(entries).toEqual([11, 12, 13].map((seq) => ({ ...entry, seq, at: now })))
    expect([after.end, after.epoch]).toEqual([13, 3])
    expect(committed).toMatchObject({ first: 11, count: 3 })
  })

  test('carries the answer of its operation', () => {
    const { committed } = advance('s', found(), { operation: { ...operation, answer: 'a' } }, now)
    expect(committed.answer).toBe('a')
  })
})

describe('a path', () => {
  test.each([
    ['the entries that are known', [[2, 4]], [[2, 4]]],
    ['what the commit appends first', [['appended', 'appended']], [[11, 11]]],
    ['what was appended meanwhile, which may be nothing', [[11, 'end']], []],
    ['what was appended meanwhile', [[9, 'end']], [[9, 10]]],
    ['all that comes', [['next', null]], [[13, null]]],
    [
      'ranges that follow on one another as one',
      [
        [8, 'end'],
        ['appended', 12],
        ['next', null],
      ],
      [[8, null]],
    ],
  ] as const)('holds %s', (_, plan, filled) => {
    const { head: after, epochs, committed } = apply({ append: [entry, entry], path: { plan, cause: 'trim' } })
    expect(epochs).toEqual([{ number: 4, path: filled, cause: 'trim', at: now, base: null }])
    expect([after.epoch, after.epochNonce]).toEqual([4, after.nonce])
    expect(committed.epoch).toBe(epochOf(after))
  })

  test.each(['rollback', 'rewind', 'clear'] as const)('takes back what was there on %s: another epoch', (cause) => {
    const { head: after } = apply({ path: { plan: [['next', null]], cause } })
    expect([after.takenBack, after.takenBackNonce]).toEqual([4, after.nonce])
    expect(epochOf(after)).not.toBe(epochOf(head))
    expect(pathTokenOf(after)).not.toBe(pathTokenOf(head))
  })

  test.each(['trim', 'compact'] as const)('continues the epoch on %s', (cause) => {
    const { head: after } = apply({ path: { plan: [['next', null]], cause } })
    expect(epochOf(after)).toBe(epochOf(head))
    expect(pathTokenOf(after)).not.toBe(pathTokenOf(head))
  })

  test('is a difference from another as well', () => {
    const base = { epoch: 2, entries: 5, own: [['next', null]] } as const
    const { epochs } = apply({
      path: {
        plan: [
          [1, 5],
          ['next', null],
        ],
        cause: 'rollback',
        base,
      },
    })
    expect(epochs).toMatchObject([
      {
        path: [
          [1, 5],
          [11, null],
        ],
        base: { epoch: 2, entries: 5, own: [[11, null]] },
      },
    ])
  })
})

describe('a snapshot', () => {
  test('is of the state before the change', () => {
    const { snapshots } = apply({
      append: [entry],
      path: { plan: [['next', null]], cause: 'clear' },
      putSnapshot: { id: 'new', label: 'l', automatic: true },
    })
    expect(snapshots).toEqual([{ id: 'new', label: 'l', automatic: true, epoch: 3, end: 10, at: now, number: 8 }])
  })

  test('of a session that begins is of nothing', () => {
    const { snapshots } = apply({ putSnapshot: { id: 'new', label: null, automatic: false } }, { head: null })
    expect(snapshots).toMatchObject([{ epoch: 1, end: 0, number: 1 }])
  })
})

describe('a change is refused', () => {
  const conflict = { code: 'VERSION_CONFLICT' }
  const absent = { head: null, snapshotNumber: () => undefined }
  test.each([
    ['at another version', { ifVersion: 'other' }, {}, { ...conflict, subject: 'version', actual: versionOf(head) }],
    ['if there is a session', { ifVersion: null }, {}, { ...conflict, expected: null, actual: versionOf(head) }],
    ['if there is none', { ifVersion: versionOf(head) }, absent, { ...conflict, actual: null }],
    ['in another epoch', { ifEpoch: 'other' }, {}, { ...conflict, subject: 'epoch', actual: epochOf(head) }],
    ['after something was taken back', { ifEpoch: null }, {}, { ...conflict, subject: 'epoch', actual: epochOf(head) }],
    ['on another path', { ifPath: 'other' }, {}, { ...conflict, subject: 'path', actual: pathTokenOf(head) }],
    ['out of turn', { ifTurn: 'mine' }, {}, { code: 'TURN_LOST' }],
    ['if its epoch is gone', { ifEpoch: epochOf(head) }, absent, { ...conflict, actual: null }],
    ['without its snapshot', { ifSnapshot: { id: 'gone' } }, {}, { code: 'SNAPSHOT_NOT_FOUND', snapshotId: 'gone' }],
    ['if its snapshot is another', { ifSnapshot: { id: 'kept', number: 4 } }, {}, { code: 'SNAPSHOT_NOT_FOUND' }],
    [
      'if there is such a snapshot, even one that it drops',
      { putSnapshot: { id: 'kept', label: null, automatic: false }, dropSnapshots: ['kept'] },
      {},
      { code: 'SNAPSHOT_EXISTS', snapshotId: 'kept' },
    ],
    [
      'if not all is staged',
      { ifVersion: null, staged: { copy: 'c', count: 3 } },
      { ...absent, staged: () => 2 },
      { code: 'COPY_LOST', expected: 3, actual: 2 },
    ],
  ] as const)('%s', (_, change, parts, error) => {
    expect(refused(change, parts)).toMatchObject(error)
  })

  test.each([
    ['at its version', { ifVersion: versionOf(head) }, {}],
    ['if there is none', { ifVersion: null }, absent],
    ['in its epoch', { ifEpoch: epochOf(head) }, {}],
    ['before anything was taken back', { ifEpoch: null }, { head: { ...head, takenBack: 1 } }],
    ['on its path', { ifPath: pathTokenOf(head) }, {}],
    ['in its turn', { ifTurn: 'mine' }, { holdsTurn: (token: string) => token === 'mine' }],
    ['before there is an epoch', { ifEpoch: null }, absent],
    ['with its snapshot', { ifSnapshot: { id: 'kept' } }, {}],
    ['with the very snapshot', { ifSnapshot: { id: 'kept', number: 5 } }, {}],
  ] as const)('and not %s', (_, change, parts) => {
    expect(() => apply(change, parts)).not.toThrow()
  })

  test('by the first that does not hold: turn, version, epoch, path, snapshot, its own snapshot, staged entries', () => {
    const all = {
      ifTurn: 'other',
      ifVersion: 'other',
      ifEpoch: 'other',
      ifPath: 'other',
      ifSnapshot: { id: 'gone' },
      putSnapshot: { id: 'kept', label: null, automatic: false },
      staged: { copy: 'c', count: 1 },
    }
    expect(refused(all)).toMatchObject({ code: 'TURN_LOST' })
    const { ifTurn, ...inTurn } = all
    expect(refused(inTurn)).toMatchObject({ subject: 'version' })
    expect(refused({ ...inTurn, ifVersion: versionOf(head) })).toMatchObject({ subject: 'epoch' })
    const { ifVersion, ifEpoch, ...onPath } = inTurn
    expect(refused(onPath)).toMatchObject({ subject: 'path' })
    const { ifPath, ...later } = onPath
    expect(refused(later)).toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
    const { ifSnapshot, ...last } = later
    expect(refused(last)).toMatchObject({ code: 'SNAPSHOT_EXISTS' })
    expect(refused({ staged: last.staged })).toMatchObject({ code: 'COPY_LOST' })
  })
})

describe('an operation that was applied', () => {
  const again = (digest: string, record: OperationRecord = done) =>
    advance('s', found({ operation: record }), { operation: { ...operation, digest }, ifVersion: 'other' }, now)

  test('returns its first result before anything else is looked at, and writes nothing', () => {
    expect(again(operation.digest)).toEqual({ head: null, committed: done.committed })
  })

  test('is a conflict with other content', () => {
    expect(() => again('digest of another')).toThrow(expect.objectContaining({ code: 'OPERATION_CONFLICT' }))
  })

  test('is known by the beginning of its digest once its session is gone', () => {
    const short = { ...done, digest: operation.digest.slice(0, shortDigest) }
    expect(again(operation.digest, short).head).toBe(null)
    expect(() => again('another', short)).toThrow(expect.objectContaining({ code: 'OPERATION_CONFLICT' }))
  })
})

describe('the end of a session', () => {
  const endOf = (change: Pick<Change, 'ttl' | 'expire'>, before: Partial<SessionHead> = {}) => {
    const { ttl, ownTtl, expiresAt } = apply(change, { head: { ...head, ...before } }).head
    return [ttl, ownTtl, expiresAt]
  }
  const sliding = { ttl: 100, expiresAt: now + 50 }
  const own = { ttl: 100, ownTtl: true, expiresAt: now + 50 }

  test.each([
    ['is none without a time to live', {}, {}, [null, false, null]],
    ['is given by the store', { ttl: 100 }, {}, [100, false, now + 100]],
    ['slides with every write', {}, sliding, [100, false, now + 100]],
    ['never slides back', {}, { ttl: 100, expiresAt: now + 500 }, [100, false, now + 500]],
    ['comes nearer with a shorter time to live', { ttl: 10 }, sliding, [10, false, now + 10]],
    ['slides by its own time to live, not the store’s', { ttl: 10 }, own, [100, true, now + 100]],
    ['is its own from then on', { ttl: 10, expire: { ttl: 20 } }, {}, [20, true, now + 20]],
    ['is rounded up', { expire: { ttl: 20.25 } }, {}, [20.25, true, now + 21]],
    ['is a fixed one', { ttl: 10, expire: { at: 5.5 } }, sliding, [null, true, 6]],
    ['does not slide once it is fixed', { ttl: 10 }, { ownTtl: true, expiresAt: 6 }, [null, true, 6]],
    ['is taken back', { ttl: 10, expire: 'never' }, own, [null, true, null]],
    ['is never, whatever the store says', { ttl: 10 }, { ownTtl: true }, [null, true, null]],
  ] as const)('%s', (_, change, before, end) => {
    expect(endOf(change, before)).toEqual(end)
  })
})

describe('a copy', () => {
  const content: SessionContent = {
    head: { ...head, birth: 'elsewhere', ttl: 5, expiresAt: 6 },
    epochs: [{ number: 3, path: [[1, null]], cause: null, at: null }],
    about: { owner: 'o', title: null, metadata: '{}' },
    snapshots: [{ id: 'x', label: null, automatic: false, epoch: 3, end: 1, at: 1, number: 2 }],
    entries: [{ ...entry, seq: 4, at: 1 }],
  }

  test('is restored as it was, head and all', () => {
    const { committed, ...restored } = apply({ ifVersion: null, ttl: 10, restore: content }, { head: null })
    expect(restored).toEqual({ ...content, epochs: content.epochs.map((epoch) => ({ ...epoch, base: null })) })
    expect(committed).toEqual({
      version: versionOf(content.head),
      epoch: epochOf(content.head),
      first: 1,
      count: 1,
      at: now,
      answer: null,
    })
  })

  test('is restored with the entries that were staged', () => {
    const bare = { ...content, entries: [] }
    const staged = { copy: 'c', count: 10 }
    const { committed, ...restored } = apply(
      { ifVersion: null, restore: bare, staged },
      { head: null, staged: (copy) => (copy === 'c' ? 10 : 0) },
    )
    expect(restored).toEqual({ ...bare, epochs: bare.epochs.map((epoch) => ({ ...epoch, base: null })) })
    expect(committed).toMatchObject({ first: 1, count: 10 })
  })

  test('begins a session with what was staged', () => {
    const staged = { copy: 'c', count: 10 }
    const { head: begun, entries, committed } = apply({ ifVersion: null, staged }, { head: null, staged: () => 10 })
    expect([begun.end, begun.counter, entries]).toEqual([10, 1, []])
    expect(committed).toMatchObject({ first: 1, count: 10 })
  })
})
