import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

/** Returns one value a number of times, then another. */
function turning<T>(first: T, times: number, then: unknown): () => T {
  let asked = 0
  return () => {
    asked += 1
    return asked <= times ? first : (then as T)
  }
}

/** An object with one field whose value changes after a number of reads. */
function withField<T extends object, K extends string>(rest: T, name: K, answer: () => unknown): T & Record<K, never> {
  const given = Object.defineProperty({ ...rest }, name, { get: answer, enumerable: true })
  return given as T & Record<K, never>
}

type Add = (store: FullStore, session: string, times: number) => Promise<unknown>

const wrong = [undefined, 5, Number.NaN, 5n, () => {}, { no: 'type' }, [{}]]

const adds: Record<string, Add[]> = {
  content: wrong.map((then) => (store, session, times) => {
    const message = withField({ role: 'user' as const }, 'content', turning('text', times, then))
    return store.addMessages(session, [message])
  }),
  role: wrong.map((then) => (store, session, times) => {
    const message = withField({ content: 'text' }, 'role', turning('user', times, then))
    return store.addMessages(session, [message])
  }),
  part: wrong.map((then) => (store, session, times) => {
    const part = withField({ text: 'text' }, 'type', turning('text', times, then))
    return store.addMessages(session, [{ role: 'user', content: [part] }])
  }),
  proxy: wrong.map((then) => (store, session, times) => {
    const answer = turning('text', times, then)
    const message = { role: 'user' as const, content: 'text' }
    const get = (target: typeof message, name: string | symbol): unknown =>
      name === 'content' ? answer() : Reflect.get(target, name)
    return store.addMessages(session, [new Proxy(message, { get })])
  }),
  toolCall: wrong.map(
    (then) => (store, session, times) =>
      store.recordToolCall(session, withField({ id: 'call' }, 'name', turning('tool', times, then))),
  ),
  record: wrong.map(
    (then) => (store, session, times) =>
      store.addEntries(session, [
        { kind: 'record', record: withField({ step: 1 }, 'type', turning('state', times, then)) },
      ]),
  ),
  kind: wrong.map(
    (then) => (store, session, times) =>
      store.addEntries(session, [withField({ record: { type: 'state' } }, 'kind', turning('record', times, then))]),
  ),
  text: wrong.map(
    (then) => (store, session, times) =>
      store.addSummary(session, withField({ embedding: [1, 0] }, 'text', turning('text', times, then))),
  ),
  embedding: [undefined, [Number.NaN], ['1', '0'], 'text', Float32Array.of(Number.NaN), []].map(
    (then) => (store, session, times) =>
      store.addSummary(session, withField({ text: 'text' }, 'embedding', turning([1, 0], times, then))),
  ),
}

export const readOnce: WrittenCase[] = [
  {
    id: 'values.8/answers-that-change',
    clause: 'values.8',
    level: 'full',
    needs: ['codes'],
    title: 'an entry with fields that change on every read is rejected or stays readable',
    async run({ store }) {
      const session = 's'
      await store.addMessages(session, turns(1))
      for (const [field, all] of Object.entries(adds)) {
        for (const add of all) {
          for (let times = 0; times <= 4; times++) {
            const before = await store.getEntries(session)
            const isKept = await add(store, session, times).then(
              () => true,
              (error: { code?: unknown }) => {
                assert.equal(error.code, 'INVALID_ENTRY', `${field}: refused as what it is`)
                return false
              },
            )
            const now = await store.getEntries(session)
            assert.equal(now.length, before.length + (isKept ? 1 : 0), `${field}: acknowledged and there, or neither`)
            same(now.slice(0, before.length), [...before])
          }
        }
      }
      same((await store.verify(session)).damage, [])
    },
  },
]
