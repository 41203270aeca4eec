import fc from 'fast-check'
import {
  answers,
  causes,
  copies,
  ends,
  entries,
  labels,
  metadata,
  oddTokens,
  owners,
  plainEntries,
  snapshotIds,
  titles,
  ttls,
} from './palette.ts'

/** What a change says of a version or an epoch: the present one, none, one that was there before, or one that never was. */
export type Token = 'present' | 'none' | { readonly earlier: number } | { readonly odd: number }

/** A change whose tokens, seqs and operations only the run knows. Numbers choose from what the run has, or from the palette. */
export interface Write {
  readonly operation: 'unnamed' | 'named' | { readonly again: number; readonly isOther: boolean }
  readonly answer?: number
  readonly ifVersion?: Token
  readonly ifEpoch?: Token
  readonly ifPath?: Token
  /** One of the two tokens of a turn. */
  readonly ifTurn?: 0 | 1
  readonly ifSnapshot?: { readonly id: number; readonly number?: 'present' | 'other' }
  readonly append?: readonly number[]
  /** Which parts of the log are read, in which order, and whether what the change appends comes between them. */
  readonly path?: {
    readonly cuts: readonly number[]
    readonly turn: number
    readonly appended: boolean
    readonly cause: number
    /** Goes on from the first entries of an epoch that is kept, instead of parts of the log. */
    readonly base?: { readonly epoch: number; readonly entries: number }
  }
  readonly begin?: About
  readonly describe?: Partial<About>
  readonly putSnapshot?: { readonly id: number; readonly label: number; readonly automatic: boolean }
  readonly dropSnapshots?: readonly number[]
  readonly ttl?: number
  readonly expire?: { readonly ttl: number } | { readonly at: number } | 'never'
}

/** Owner, title and metadata. */
export interface About {
  readonly owner: number
  readonly title: number
  readonly metadata: number
}

/** How a restored session ends: as it was, or otherwise. */
export type Ending = 'same' | { readonly ttl: number | null; readonly ownTtl: boolean; readonly end: number | null }

/** `anew`: the session is erased first. A `burst` is so many turns at once that operations are pruned. */
export type Step = { readonly session: 0 | 1 } & (
  | { readonly kind: 'commit'; readonly write: Write }
  | { readonly kind: 'at once'; readonly writes: readonly Write[] }
  | { readonly kind: 'burst'; readonly count: number }
  | {
      readonly kind: 'restore'
      readonly from: { readonly exported: number } | { readonly copy: number }
      readonly ending: Ending
      readonly ttl?: number
      readonly anew: boolean
    }
  | { readonly kind: 'erase'; readonly again: boolean; readonly ifVersion?: Token; readonly ifTurn?: 0 | 1 }
  | { readonly kind: 'turn'; readonly do: 'take' | 'renew' | 'end'; readonly token: 0 | 1 }
  | { readonly kind: 'stage'; readonly copy: 0 | 1; readonly entries: readonly number[]; readonly again: number }
  | { readonly kind: 'unstage'; readonly copy: 0 | 1 }
  | {
      readonly kind: 'publish'
      readonly copy: 0 | 1
      readonly off: -1 | 0 | 1
      readonly restores: boolean
      readonly anew: boolean
    }
  | { readonly kind: 'drop'; readonly isPresent: boolean }
  | { readonly kind: 'reclaim'; readonly scope: 'erased' | 'outdated' | 'all' }
)

export type Of<K extends Step['kind']> = Extract<Step, { kind: K }>

const from = (list: readonly unknown[]) => fc.nat(list.length - 1)

const tokens = fc.oneof(
  { weight: 6, arbitrary: fc.constant('present' as const) },
  { weight: 2, arbitrary: fc.constant('none' as const) },
  { weight: 2, arbitrary: fc.record({ earlier: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ odd: from(oddTokens) }) },
)

/** How many operations ago: mostly one of the last, or one before a burst. */
const again = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(120) })

const operations = fc.oneof(
  { weight: 4, arbitrary: fc.constant('unnamed' as const) },
  { weight: 6, arbitrary: fc.constant('named' as const) },
  { weight: 5, arbitrary: fc.record({ again, isOther: fc.boolean() }) },
)

const ttl = fc.oneof({ weight: 9, arbitrary: fc.nat(ttls.length - 2) }, { weight: 1, arbitrary: from(ttls) })

/** Present in one of so many. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneOf: number) =>
  fc.oneof({ weight: oneOf - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Those of its parts that are there. */
function partial<T extends object>(parts: { [name in keyof T]: fc.Arbitrary<T[name] | undefined> }): fc.Arbitrary<T> {
  const whole = fc.record(parts as { [name: string]: fc.Arbitrary<unknown> })
  return whole.map((all) => Object.fromEntries(Object.entries(all).filter(([, part]) => part !== undefined)) as T)
}

const about = { owner: from(owners), title: from(titles), metadata: from(metadata) }

const whichTurn = fc.constantFrom(0 as const, 1 as const)

const paths = {
  cuts: fc.array(fc.nat(30), { maxLength: 14 }),
  turn: fc.nat(3),
  cause: from(causes),
  base: rarely(fc.record({ epoch: fc.nat(20), entries: fc.nat(12) }), 2),
}

/** Seldom a summary: with one, a session no longer takes the shortest way on Redis. */
const appended = fc.oneof({ weight: 6, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: from(entries) })

const anyWrites = partial<Write>({
  operation: operations,
  answer: rarely(from(answers), 3),
  ifVersion: rarely(tokens, 5),
  ifEpoch: rarely(tokens, 4),
  ifPath: rarely(tokens, 8),
  ifTurn: rarely(whichTurn, 10),
  ifSnapshot: rarely(partial({ id: from(snapshotIds), number: rarely(fc.constantFrom('present', 'other'), 2) }), 5),
  append: rarely(fc.array(appended, { maxLength: 4 }), 2),
  path: rarely(partial({ ...paths, appended: fc.boolean() }), 3),
  begin: rarely(fc.record(about), 4),
  describe: rarely(
    partial({ owner: rarely(about.owner, 2), title: rarely(about.title, 2), metadata: rarely(about.metadata, 2) }),
    6,
  ),
  putSnapshot: rarely(fc.record({ id: from(snapshotIds), label: from(labels), automatic: fc.boolean() }), 3),
  dropSnapshots: rarely(fc.uniqueArray(from(snapshotIds), { maxLength: 3 }), 5),
  ttl: rarely(ttl, 5),
  expire: rarely(fc.oneof(fc.record({ ttl }), fc.record({ at: from(ends) }), fc.constant('never' as const)), 12),
})

/** Messages without bytes and little else, as nearly every write is. */
const turns = partial<Write>({
  operation: operations,
  append: fc.array(fc.nat(plainEntries - 1), { minLength: 1, maxLength: 3 }),
  answer: rarely(from(answers), 8),
  ttl: rarely(ttl, 8),
})

/** A path that reads what the change appends, as a compaction's. */
const compactions = partial<Write>({
  operation: operations,
  append: fc.tuple(from(entries)),
  path: partial({ ...paths, appended: fc.constant(true) }),
  ifVersion: rarely(tokens, 8),
})

const writes = fc.oneof(
  { weight: 4, arbitrary: anyWrites },
  { weight: 2, arbitrary: turns },
  { weight: 1, arbitrary: compactions },
)

const endings = fc.oneof(
  { weight: 3, arbitrary: fc.constant('same' as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      ttl: fc.option(fc.nat(ttls.length - 2)),
      ownTtl: fc.boolean(),
      end: fc.option(from(ends)),
    }),
  },
)

const session = fc.constantFrom(0 as const, 1 as const)
const copy = fc.constantFrom(0 as const, 1 as const)
const mostly = fc.constantFrom(true, true, false)
const kind = <K extends Step['kind']>(name: K) => fc.constant(name)

export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 32, arbitrary: fc.record({ session, kind: kind('commit'), write: writes }) },
  {
    weight: 10,
    arbitrary: fc.record({
      session,
      kind: kind('at once'),
      writes: fc.array(fc.oneof({ weight: 1, arbitrary: anyWrites }, { weight: 4, arbitrary: turns }), {
        minLength: 2,
        maxLength: 12,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        session,
        kind: kind('restore'),
        from: fc.oneof(
          { weight: 1, arbitrary: fc.record({ exported: fc.nat(20) }) },
          { weight: 2, arbitrary: fc.record({ copy: from(copies) }) },
        ),
        ending: endings,
        anew: mostly,
        ttl: rarely(ttl, 4),
      })
      .map(({ ttl: chosen, ...step }) => ({ ...step, ...(chosen !== undefined && { ttl: chosen }) })),
  },
  { weight: 2, arbitrary: fc.record({ session, kind: kind('burst'), count: fc.integer({ min: 50, max: 90 }) }) },
  {
    weight: 4,
    arbitrary: partial({
      session,
      kind: kind('erase'),
      again: fc.boolean(),
      ifVersion: rarely(tokens, 4),
      ifTurn: rarely(whichTurn, 6),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      session,
      kind: kind('turn'),
      do: fc.constantFrom('take' as const, 'take' as const, 'renew' as const, 'end' as const),
      token: whichTurn,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      session,
      kind: kind('stage'),
      copy,
      entries: fc.array(from(entries), { minLength: 1, maxLength: 4 }),
      again: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ session, kind: kind('unstage'), copy }) },
  {
    weight: 4,
    arbitrary: fc.record({
      session,
      kind: kind('publish'),
      copy,
      off: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const, -1 as const),
      restores: fc.boolean(),
      anew: mostly,
    }),
  },
  { weight: 2, arbitrary: fc.record({ session, kind: kind('drop'), isPresent: mostly }) },
  {
    weight: 1,
    arbitrary: fc.record({ session, kind: kind('reclaim'), scope: fc.constantFrom('erased', 'outdated', 'all') }),
  },
)
