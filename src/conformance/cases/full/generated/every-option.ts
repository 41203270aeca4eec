import assert from 'node:assert/strict'
import type { FullStore } from '../../../case.ts'
import type { Capability } from '../../../store-definition.ts'
import { same } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

/** Values that an option must not have. */
type Kind = readonly unknown[]

const text: Kind = ['', 7, {}, [], true, null, '\ud800']
const anyText: Kind = [7, {}, [], true]
const nameOrNothing: Kind = ['', 7, {}, '\ud800']
const token: Kind = ['', 7, {}, [], true]
const whole = (least: number): Kind => [
  ...(least > 0 ? [least - 1] : []),
  ...[-1, least + 0.5, Number.NaN, Number.POSITIVE_INFINITY, `${least}`, null, [least], true],
]
const positive: Kind = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true]
const flag: Kind = ['yes', 1, 0, null, {}]
const oneOf = (fine: string): Kind => ['nonsense', '', 1, null, true, [fine]]
const fn: Kind = ['x', 1, null, {}, true]
const signal: Kind = [{}, 'x', null, { aborted: false }]

type Options = Readonly<Record<string, Kind>>

const write: Options = { operationId: text, ifVersion: token, ifEpoch: token }
const details: Options = { owner: nameOrNothing, title: anyText }
const reading: Options = { at: text, atLeast: token }
const page: Options = { first: whole(0), last: whole(0), before: whole(1), after: whole(1) }
const budget: Options = {
  maxEntries: whole(1),
  maxTokens: positive,
  countTokens: fn,
  keepSystem: flag,
  startOn: oneOf('user'),
}

/** What a store must declare before an option can be asked of it. */
const declared: Readonly<Record<string, Capability>> = {
  operationId: 'operations',
  ifVersion: 'versions',
  ifEpoch: 'versions',
  atLeast: 'versions',
  owner: 'owners',
  title: 'owners',
  first: 'pages',
  maxTokens: 'windows',
  records: 'edits',
  add: 'edits',
  to: 'edits',
  signal: 'signals',
  wait: 'turns',
}

interface Asked {
  readonly options: Options
  /** Options without which the call is wrong. */
  readonly rest?: object
  /** Options that are fine one by one and not together. */
  readonly apart?: readonly object[]
  /** What the call needs besides five turns. */
  begin?(store: FullStore): Promise<unknown>
  call(store: FullStore, options: never): Promise<unknown>
}

const counted = { maxTokens: 1, countTokens: () => 1 }
const summarize = () => 'sum'
const savesSnapshot = (store: FullStore) => store.saveSnapshot('s', { id: 'p' })

/** Every method that takes options, and how it is called. */
const methods: Readonly<Record<string, Asked>> = {
  addMessages: {
    options: { ...write, ...details },
    call: (store, options) => store.addMessages('s', turns(1), options),
  },
  recordToolCall: {
    options: { ...write, ...details },
    call: (store, options) => store.recordToolCall('s', { id: 'c', name: 'n' }, options),
  },
  addSummary: {
    options: { ...write, ...details },
    call: (store, options) => store.addSummary('s', { text: 't' }, options),
  },
  addEntries: {
    options: { ...write, ...details },
    call: (store, options) => store.addEntries('s', [{ kind: 'record', record: { type: 't' } }], options),
  },
  getHistory: {
    options: { ...reading, ...page, ...budget, signal },
    apart: [
      { first: 1, last: 1 },
      { before: 1, after: 1 },
      { last: 1, maxEntries: 1 },
      { first: 1, ...counted },
      { before: 2, maxEntries: 1 },
      { maxTokens: 1 },
      { countTokens: () => 1 },
      { keepSystem: true },
      { startOn: 'user' },
      { last: 1, keepSystem: true },
    ],
    call: (store, options) => store.getHistory('s', options),
  },
  getEntries: {
    options: { ...reading, ...page, signal, kinds: ['message', ['nonsense'], [1], null, {}] },
    apart: [
      { first: 1, last: 1 },
      { before: 1, after: 1 },
    ],
    call: (store, options) => store.getEntries('s', options),
  },
  recall: { options: { ...reading, k: whole(1) }, call: (store, options) => store.recall('s', [1], options) },
  trim: {
    rest: { maxEntries: 100 },
    options: { ...write, ...budget, records: oneOf('keep') },
    apart: [
      { maxEntries: undefined },
      { maxEntries: undefined, keepSystem: true },
      { maxTokens: 1 },
      { countTokens: () => 1 },
    ],
    call: (store, options) => store.trim('s', options),
  },
  clear: { options: write, call: (store, options) => store.clear('s', options) },
  compact: {
    rest: { keep: 100, summarize },
    options: {
      ...write,
      keep: whole(0),
      keepTokens: positive,
      countTokens: fn,
      summarize: fn,
      signal,
      summaryRole: oneOf('user'),
    },
    apart: [{ keep: undefined }, { summarize: undefined }, { keepTokens: 1 }, { countTokens: () => 1 }],
    call: (store, options) => store.compact('s', options),
  },
  saveSnapshot: {
    options: { ...write, ...details, id: text, label: anyText },
    call: (store, options) => store.saveSnapshot('s', options),
  },
  rollbackToSnapshot: {
    begin: savesSnapshot,
    options: write,
    call: (store, options) => store.rollbackToSnapshot('s', 'p', options),
  },
  deleteSnapshot: {
    begin: savesSnapshot,
    options: write,
    call: (store, options) => store.deleteSnapshot('s', 'p', options),
  },
  rewind: {
    rest: { to: 5 },
    options: {
      ...write,
      ...details,
      to: whole(0),
      snapshot: ['yes', 1, null, { name: 'x' }, { id: '' }, { label: 7 }],
    },
    apart: [
      { to: undefined },
      { before: 1 },
      { to: undefined, before: 0 },
      { to: undefined, before: 1.5 },
      { add: [], entries: [] },
    ],
    call: (store, options) => store.rewind('s', options),
  },
  fork: {
    options: { at: text, to: whole(1), operationId: text, ifVersion: token },
    call: (store, options) => store.fork('s', 'fork', options),
  },
  deleteSession: { options: { ifVersion: token }, call: (store, options) => store.deleteSession('s', options) },
  deleteSessions: {
    rest: { owner: 'nobody' },
    options: { owner: text },
    apart: [{ owner: undefined }],
    call: (store, options) => store.deleteSessions(options),
  },
  describe: {
    rest: { title: 't' },
    options: { ...write, ...details },
    apart: [{ title: undefined }],
    call: (store, options) => store.describe('s', options),
  },
  expire: {
    rest: { never: true },
    options: { ...write, never: [false, 1, 'yes', null] },
    apart: [
      { ttl: 1000 },
      { at: 1000 },
      { never: undefined },
      { never: undefined, ttl: 0 },
      { never: undefined, ttl: '1' },
      { never: undefined, at: 'tomorrow' },
      { never: undefined, at: new Date(Number.NaN) },
    ],
    call: (store, options) => store.expire('s', options),
  },
  listSessions: {
    options: { owner: text, limit: whole(1), cursor: [7, {}, true, []] },
    call: (store, options) => store.listSessions(options),
  },
  verify: { options: { onProgress: fn, signal }, call: (store, options) => store.verify('s', options) },
  sweep: { options: { onProgress: fn, signal }, call: (store, options) => store.sweep('s', options) },
  withTurn: {
    options: { wait: whole(0), lease: whole(1), signal },
    call: (store, options) => store.withTurn('s', async () => {}, options),
  },
}

/** Options that no method has, and values that are not option objects. */
const strange: readonly unknown[] = [null, 7, 'last', true, ['last'], () => ({})]

async function ask(
  store: FullStore,
  name: string,
  { options, rest = {}, apart = [], begin, call }: Asked,
): Promise<void> {
  await store.addMessages('s', turns(5))
  await begin?.(store)
  const { version } = await store.getHistory('s')
  const refuse = async (given: unknown) => {
    const about = `${name} with ${describe(given)}`
    await assert.rejects(
      async () => call(store, given as never),
      (error: { name?: unknown; code?: unknown }) => {
        same({ name: error.name, code: error.code }, { name: 'TypeError', code: 'INVALID_ARGUMENT' }, about)
        return true
      },
      `${about} was not rejected`,
    )
    same((await store.getHistory('s')).version, version, `${about} changed the session`)
  }
  for (const given of strange) await refuse(given)
  for (const unknown of ['nonsense', 'Limit', '__proto__x', ...Object.keys(options).map((one) => `${one}s`)]) {
    await refuse({ ...rest, [unknown]: 1 })
  }
  for (const [option, wrong] of Object.entries(options)) {
    for (const value of wrong) await refuse({ ...rest, [option]: value })
  }
  for (const given of apart) await refuse({ ...rest, ...given })
}

function describe(given: unknown): string {
  if (typeof given !== 'object' || given === null) return String(given)
  return Object.entries(given)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? JSON.stringify(value) : Array.isArray(value) ? '[…]' : String(value)}`,
    )
    .join(', ')
}

export const everyOption: WrittenCase[] = Object.entries(methods).map(([name, asked]) => {
  const needs = new Set<Capability>(['codes', 'versions'])
  for (const option of Object.keys(asked.options)) {
    const capability = declared[option]
    if (capability !== undefined) needs.add(capability)
  }
  return {
    id: `history.7/every-option-of-${name}`,
    clause: 'history.7',
    level: 'full',
    needs: [...needs],
    title: `${name} rejects unknown options and invalid values, and changes nothing`,
    run: ({ store }) => ask(store, name, asked),
  }
})
