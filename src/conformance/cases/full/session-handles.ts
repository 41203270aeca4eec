import type { SessionMemory } from '../../../core/session-memory.ts'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** Every method that a handle on a session has, in an order in which each has something to do. */
const program: readonly [method: keyof SessionMemory & keyof FullStore, ...given: unknown[]][] = [
  ['getHistory'],
  ['sessionInfo'],
  ['addMessages', turns(6), { owner: 'ann', operationId: 'o' }],
  ['getHistory', { last: 4 }],
  ['recordToolCall', { id: 'c', name: 'n' }, { operationId: 'p' }],
  ['addSummary', { text: 'note', embedding: [1, 0] }, { operationId: 'q' }],
  ['addEntries', [{ kind: 'record', record: { type: 't' } }], { operationId: 'r' }],
  ['getEntries', { kinds: ['summary', 'record'] }],
  ['recall', [1, 0], { k: 1 }],
  ['saveSnapshot', { id: 'early', label: 'l' }],
  ['addMessages', turns(4, 7)],
  ['trim', { maxEntries: 8 }],
  ['compact', { keep: 3, summarize: () => 'sum' }],
  ['getHistory'],
  ['saveSnapshot', { id: 'late' }],
  ['rollbackToSnapshot', 'early', { operationId: 's' }],
  ['getHistory', { at: 'late', maxEntries: 2 }],
  ['deleteSnapshot', 'late'],
  ['paths'],
  ['rewind', { to: 4, add: turns(2, 20) }],
  ['fork', 'copy', { to: 4 }],
  ['describe', { title: 'title', metadata: { a: 1 } }],
  ['expire', { at: 4_000_000_000_000 }],
  ['sessionInfo'],
  ['operation', 'o'],
  ['operation', 'nobody made'],
  ['verify'],
  ['sweep'],
  ['getEntries'],
  ['clear'],
  ['sweep'],
  ['getHistory'],
  ['deleteSession'],
  ['deleteSession'],
]

/** The fields of results and of what is written here that are the same in every memory. A store may add others. */
const told = new Set(
  [
    'seq seqs removed overBudget snapshot snapshots id label automatic entries kind message toolCall summary record',
    'standsIn role content text type covers embedding name owner title metadata ttl expiresAt sessions ok damage damaged',
    'session reason end epochs number cause ranges score a',
  ].flatMap((names) => names.split(' ')),
)
const ownId = /^[\da-f]{8}-[\da-f-]{27}$/

function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (typeof value === 'string' && ownId.test(value)) return 'an id'
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const fields = Object.entries(value).filter(([name]) => told.has(name))
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutOwn(one)]))
}

async function other(store: FullStore): Promise<void> {
  await store.addMessages('other', turns(5))
  await store.rewind('other', { to: 3 })
}

export const sessionHandles: WrittenCase[] = [
  {
    id: 'adding.8/handle-on-a-session',
    clause: 'adding.8',
    level: 'full',
    needs: ['owners', 'operations', 'windows', 'edits', 'versions', 'turns'],
    title: 'a handle on one session does what the store does for that session, and sees what others wrote to it',
    async run({ store, open }) {
      const plain = await open()
      for (const one of [store, plain]) await other(one)
      const handle = store.session('s')
      for (const [method, ...given] of program) {
        const call = handle[method] as (...given: unknown[]) => Promise<unknown>
        const plainCall = plain[method] as unknown as (session: string, ...given: unknown[]) => Promise<unknown>
        const [seen, expected] = [await call.apply(handle, given), await plainCall.call(plain, 's', ...given)]
        same(withoutOwn(seen), withoutOwn(expected), `${method} of a handle on a session`)
      }
      await store.addMessages('s', turns(2))
      same(await handle.getHistory(), turns(2), 'what was written by the store')
      const count = await handle.withTurn(async (turn) => (await turn.addMessages(turns(1, 3))).seqs.length)
      same(count, 1, 'what a turn returns')
      same(await store.getHistory('s'), turns(3), 'what was written in a turn')
      same(await store.stats(), await plain.addMessages('s', turns(3)).then(() => plain.stats()), 'the other session')
    },
  },
]
