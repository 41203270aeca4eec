import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { richTurns, texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const saving = {
  level: 'snapshots',
} as const

const listedBy = async (store: FullStore, session = 's') => (await store.listSnapshots(session)).map(({ id }) => id)

export const savingCases: WrittenCase[] = [
  {
    ...saving,
    id: 'snapshots.2/saved-at-once',
    clause: 'snapshots.2',
    title: 'snapshots that several handles save at once, while they write, are not lost or mixed up',
    async run({ store, again }) {
      const handles = [store, await again(), await again()]
      await store.addMessages('s', turns(5))
      const saved: { id: string; own: string[] }[] = []
      const writers = [...handles, ...handles].map(async (handle, writer) => {
        const own: string[] = []
        for (let round = 0; round < 4; round++) {
          own.push(`${writer}.${round}`)
          await handle.addMessages('s', [{ role: 'user', content: own.at(-1) ?? '' }])
          saved.push({ id: (await handle.saveSnapshot('s')).id, own: [...own] })
        }
      })
      await Promise.all(writers)
      const still = await Promise.all(handles.flatMap((one) => [one.saveSnapshot('s'), one.saveSnapshot('s')]))
      const ids = [...saved, ...still].map(({ id }) => id)
      same(new Set(ids).size, ids.length, 'every snapshot has an id of its own')
      const history = texts(await store.getHistory('s'))
      same(history.length, 5 + 6 * 4, 'no turn is lost by a snapshot that is saved meanwhile')
      for (const handle of handles) {
        const listed = new Set(await listedBy(handle))
        same(
          ids.filter((id) => !listed.has(id)),
          [],
          'every snapshot is listed',
        )
      }
      for (const { id, own } of saved) {
        await store.rollbackToSnapshot('s', id)
        const then = texts(await store.getHistory('s'))
        same(then, history.slice(0, then.length), 'a snapshot is of one moment')
        const [writer] = own[0]?.split('.') ?? []
        const seen = then.filter((text) => String(text).startsWith(`${writer}.`))
        same(seen, own, 'a snapshot is of the moment at which it was saved')
      }
      for (const { id } of still) {
        await store.rollbackToSnapshot('s', id)
        same(texts(await store.getHistory('s')), history)
      }
    },
  },
  {
    ...saving,
    id: 'snapshots.8/during-a-rollback',
    clause: 'snapshots.8',
    title: 'what others save and add during a rollback is kept',
    async run({ store, again }) {
      const other = await again()
      await store.addMessages('s', turns(3))
      const { id: early } = await store.saveSnapshot('s')
      await store.addMessages('s', turns(3, 4))
      const saved: string[] = [early]
      for (let round = 1; round <= 6; round++) {
        const save = async () => {
          for (let time = 0; time < 3; time++) saved.push((await other.saveSnapshot('s')).id)
        }
        const roll = () => store.rollbackToSnapshot('s', early)
        const say = () => other.addMessages('other', turns(1, round))
        const calls = [
          [save, roll, say],
          [roll, say, save],
          [say, save, save, roll],
        ][round % 3]
        await Promise.all((calls ?? []).map((call) => call()))
        same(await other.getHistory('s'), turns(3))
        same(await store.getHistory('other'), turns(round), 'a turn said in another session')
        const listed = await listedBy(store)
        for (const id of saved) assert.ok(listed.includes(id), 'a snapshot saved during a rollback is missing')
      }
      const rolling = store.rollbackToSnapshot('s', early)
      for (let turn = 10; turn < 30; turn++) await other.addMessages('s', turns(1, turn))
      await rolling
      const [kept, said] = [texts(await store.getHistory('s')), texts(turns(20, 10))]
      const after = kept.slice(3)
      same(kept.slice(0, 3), texts(turns(3)))
      same(after, said.slice(said.length - after.length), 'of what is said during a rollback the end is kept')
      for (const id of saved) {
        await other.rollbackToSnapshot('s', id)
        const then = await store.getHistory('s')
        same(then, turns(then.length > 3 ? 6 : 3), 'a snapshot is of before the rollback or of after it')
      }
    },
  },
  {
    ...saving,
    needs: ['persistent'],
    id: 'snapshots.2/they-outlive-their-handles',
    clause: 'snapshots.2',
    title: 'snapshots and rollbacks survive closing every handle and reopening the memory',
    async run({ store, again, close }) {
      const reopen = async (of: FullStore) => {
        await close(of)
        return again()
      }
      await store.addMessages('s', [...richTurns])
      const { id: early } = await store.saveSnapshot('s')
      await store.addMessages('s', turns(2))
      const second = await reopen(store)
      const { id: late } = await second.saveSnapshot('s')
      assert.notEqual(early, late, 'every snapshot has an id of its own')
      await second.rollbackToSnapshot('s', early)
      same(await second.getHistory('s'), richTurns, 'a snapshot of a handle that was closed')
      const third = await reopen(second)
      same(await third.getHistory('s'), richTurns, 'a rollback is there for who opens the memory next')
      const listed = await listedBy(third)
      for (const id of [early, late]) assert.ok(listed.includes(id), 'a snapshot is missing')
      await third.rollbackToSnapshot('s', late)
      same(await third.getHistory('s'), [...richTurns, ...turns(2)])
      const fourth = await reopen(third)
      same(await fourth.getHistory('s'), [...richTurns, ...turns(2)])
      await fourth.rollbackToSnapshot('s', early)
      same(await fourth.getHistory('s'), richTurns)
    },
  },
]
