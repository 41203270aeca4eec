import assert from 'node:assert/strict'
import type { Backend } from '../../../core/backend.ts'
import type { CaseContext, FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const faults = { level: 'faults', needs: ['faults', 'codes', 'operations', 'pages', 'edits'] } as const

/** The backend has lost an entry: whatever is asked for, it is not among what is found. */
function without(seq: number): (backend: Backend) => Backend {
  const isLeft = (entry: { readonly seq: number }) => entry.seq !== seq
  return (backend) =>
    new Proxy(backend, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'read') return typeof value === 'function' ? value.bind(target) : value
        return async (...given: Parameters<Backend['read']>) => {
          const found = await target.read(...given)
          return { ...found, entries: found.entries.filter(isLeft), summaries: found.summaries.filter(isLeft) }
        }
      },
    })
}

/** Every call that needs the lost one of six turns. */
const reads: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  getHistory: (store) => store.getHistory('s'),
  'getHistory, the newest': (store) => store.getHistory('s', { last: 5 }),
  'getHistory, a budget': (store) => store.getHistory('s', { maxEntries: 5 }),
  'getHistory, a page': (store) => store.getHistory('s', { first: 2, after: 1 }),
  'getHistory, a page backward': (store) => store.getHistory('s', { last: 2, before: 4 }),
  'getHistory at a snapshot': (store) => store.getHistory('s', { at: 'p' }),
  getEntries: (store) => store.getEntries('s'),
  'getEntries of a kind': (store) => store.getEntries('s', { kinds: ['message'] }),
  'getEntries at a snapshot': (store) => store.getEntries('s', { at: 'p' }),
  'getEntries, a page': (store) => store.getEntries('s', { first: 3 }),
  operation: (store) => store.operation('s', 'first'),
  fork: (store) => store.fork('s', 'copy'),
  'fork of a part': (store) => store.fork('s', 'copy', { to: 4 }),
  exportSession: (store) => store.exportSession('s'),
  compact: (store) => store.compact('s', { keep: 1, summarize: () => 'sum' }),
  'trim by tokens': (store) => store.trim('s', { maxTokens: 5, countTokens: () => 1 }),
}

async function filled({ wrapped }: CaseContext): Promise<{ sound: FullStore; damaged: FullStore }> {
  const { sound } = await wrapped((backend) => backend)
  await sound.addMessages('s', turns(3), { operationId: 'first' })
  await sound.addMessages('s', turns(3, 4))
  await sound.saveSnapshot('s', { id: 'p' })
  const { store } = await wrapped(without(3), { on: sound })
  return { sound, damaged: store }
}

export const lostEntries: WrittenCase[] = [
  {
    ...faults,
    id: 'loss.1/every-call-that-needs-it',
    clause: 'loss.1',
    title: 'every call that needs a lost entry names it, and calls that do not need it still work',
    async run(context) {
      const { sound, damaged } = await filled(context)
      const before = await sound.exportSession('s')
      for (const [name, read] of Object.entries(reads)) {
        await assert.rejects(read(damaged), { code: 'MEMORY_LOST', session: 's', seqs: [3] }, name)
      }
      same(await damaged.getHistory('s', { last: 3 }), turns(3, 4), 'the newest, which do not need it')
      same(await damaged.getHistory('s', { first: 2 }), turns(2), 'the oldest, which do not need it')
      same(await sound.exportSession('s'), before, 'nothing changed')
      same(await sound.sessionInfo('copy'), null, 'nothing was copied')
    },
  },
  {
    ...faults,
    id: 'loss.4/found-in-several-steps',
    clause: 'loss.4',
    title: 'verify lists the damage that reads show and the damage only the backend can find, in any number of steps',
    async run(context) {
      const { sound } = await filled(context)
      const strays = [7, 8, 9].map((seq) => ({ session: `of nobody ${seq}`, seqs: [seq], problem: 'no session' }))
      let step = 0
      const searching = (backend: Backend): Backend =>
        new Proxy(without(3)(backend), {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name)
            if (name !== 'damage') return typeof value === 'function' ? value.bind(target) : value
            return async () => {
              step += 1
              return { damage: strays.slice(step - 1, step), done: step >= strays.length }
            }
          },
        })
      const { store } = await context.wrapped(searching, { on: sound })
      const { ok, damage } = await store.verify()
      same(ok, false, 'verify says that something is damaged')
      same(
        damage.map(({ session, seqs }) => [session, seqs]),
        [['s', [3]], ...strays.map(({ session, seqs }) => [session, seqs])],
        'what verify found',
      )
    },
  },
]
