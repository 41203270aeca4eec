import assert from 'node:assert/strict'
import type { FullStore } from '../../../case.ts'
import { same } from '../../helpers/same.ts'
import { turns } from '../../helpers/samples.ts'
import type { WrittenCase } from '../../written-case.ts'

/** Something wrong, by the place that the error must name. */
type Wrong = Readonly<Record<string, unknown>>

const unreadable = {
  get role(): string {
    throw new Error('unreadable')
  },
}

/** Lists of messages, under the name of the parameter. */
const messages = (name: string): Wrong => ({
  [name]: 'no list',
  [`${name}[0]`]: [null],
  [`${name}[1]`]: [{}, unreadable],
  [`${name}[1].role`]: [{}, { role: 7 }],
  [`${name}[2].a[1].b`]: [{}, {}, { a: [0, { b: 1n }] }],
  [`${name}[0].a[1]`]: [{ a: [0, undefined] }],
  [`${name}[0]["two words"]["1"][""]`]: [{ 'two words': { 1: { '': new Date(0) } } }],
})

const toolCalls: Wrong = {
  toolCall: null,
  'toolCall.id': { name: 'n' },
  'toolCall.name': { id: 'c', name: '' },
  'toolCall.startedAt': { id: 'c', name: 'n', startedAt: 'now' },
  'toolCall.endedAt': { id: 'c', name: 'n', endedAt: null },
  'toolCall.result.a': { id: 'c', name: 'n', result: { a: Number.NaN } },
}

const summaries: Wrong = {
  'summary.text': { text: 7 },
  'summary.embedding': { text: 't', embedding: [] },
  'summary.embedding[1]': { text: 't', embedding: [1, Number.NaN] },
  'summary.metadata.a': { text: 't', metadata: { a: 1n } },
}

const covers: Wrong = {
  'summary.covers': { text: 't', covers: 7 },
  'summary.covers[0]': { text: 't', covers: [[2, 1]] },
  'summary.covers[1][0]': {
    text: 't',
    covers: [
      [1, 1],
      [0, 1],
    ],
  },
}

const records: Wrong = {
  'record.type': { type: '' },
  'record.a.b': { type: 't', a: { b: () => {} } },
}

/** The same, as the second of a list of entries. */
function asEntries(kind: string, wrong: Wrong): Wrong {
  const entries = Object.entries(wrong).map(([place, body]) => [
    `entries[1].${place}`,
    [
      { kind: 'message', message: {} },
      { kind, [kind]: body },
    ],
  ])
  return Object.fromEntries(entries) as Wrong
}

const entries: Wrong = {
  entries: {},
  'entries[0]': [null],
  'entries[1].kind': [
    { kind: 'message', message: {} },
    { kind: 'dream', dream: {} },
  ],
  'entries[0].message': [{ kind: 'message' }],
  'entries[0].toolCall': [{ kind: 'message', message: {}, toolCall: {} }],
  'entries[0]["two words"]': [{ kind: 'record', record: { type: 't' }, 'two words': 1 }],
  'entries[0].standsIn': [{ kind: 'summary', summary: { text: 't' }, standsIn: 'yes' }],
  'entries[1].standsIn': [
    { kind: 'message', message: {} },
    { kind: 'message', message: {}, standsIn: true },
  ],
  ...asEntries('toolCall', toolCalls),
  ...asEntries('summary', { ...summaries, ...covers }),
  ...asEntries('record', records),
}

/** Every method that is given entries. */
const methods: Readonly<Record<string, { wrong: Wrong; call(store: FullStore, wrong: never): Promise<unknown> }>> = {
  addMessages: { wrong: messages('messages'), call: (store, wrong) => store.addMessages('s', wrong) },
  recordToolCall: { wrong: toolCalls, call: (store, wrong) => store.recordToolCall('s', wrong) },
  addSummary: {
    wrong: { summary: null, ...summaries, ...covers },
    call: (store, wrong) => store.addSummary('s', wrong),
  },
  addEntries: { wrong: entries, call: (store, wrong) => store.addEntries('s', wrong) },
  rewind: { wrong: messages('add'), call: (store, wrong) => store.rewind('s', { to: 1, add: wrong }) },
  'rewind of entries': { wrong: entries, call: (store, wrong) => store.rewind('s', { to: 1, entries: wrong }) },
  compact: { wrong: summaries, call: (store, wrong) => store.compact('s', { keep: 1, summarize: () => wrong }) },
}

export const everyPlace: WrittenCase[] = [
  {
    id: 'adding.7/every-place',
    clause: 'adding.7',
    level: 'full',
    needs: ['codes', 'exact', 'edits', 'versions'],
    title: 'every method that is given something malformed says where it is, and writes nothing',
    async run({ store }) {
      const { version } = await store.addMessages('s', turns(3))
      for (const [method, { wrong, call }] of Object.entries(methods)) {
        for (const [path, given] of Object.entries(wrong)) {
          const refused = { code: 'INVALID_ENTRY', path, reason: /./ }
          await assert.rejects(call(store, given as never), refused, `${method}: ${path}`)
        }
      }
      const history = await store.getHistory('s')
      same([...history], turns(3))
      same(history.version, version, 'the version')
    },
  },
]
