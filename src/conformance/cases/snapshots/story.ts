import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { fakeClock } from '../helpers/fake-clock.ts'
import { same } from '../helpers/same.ts'
import { richTurns, texts, turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const story = {
  level: 'snapshots',
} as const

/** Snapshots, each a turn later, while the clock stands still. */
async function saveWithinAMillisecond(store: FullStore, session: string, count: number): Promise<string[]> {
  const clock = fakeClock()
  const saved: string[] = []
  try {
    for (let round = 1; round <= count; round++) {
      await store.addMessages(session, turns(1, round))
      saved.push((await store.saveSnapshot(session)).id)
    }
  } finally {
    clock.restore()
  }
  return saved
}

export const storyCases: WrittenCase[] = [
  {
    ...story,
    id: 'snapshots.1/the-conversation-of-then',
    clause: 'snapshots.1',
    title: 'a rollback brings back the conversation as it was, from a few turns to 1,500',
    async run({ store, again }) {
      const other = await again()
      const saved: { id: string; length: number }[] = []
      for (const length of [1, 2, 60, 1500]) {
        const before = (await store.getHistory('s')).length
        await store.addMessages('s', turns(length - before, before + 1))
        saved.push({ id: (await store.saveSnapshot('s')).id, length })
      }
      await store.addMessages('s', turns(5, 2000))
      for (const { id, length } of saved.toReversed()) {
        await store.rollbackToSnapshot('s', id)
        same(await store.getHistory('s'), turns(length))
        same(texts(await other.getHistory('s')), texts(turns(length)))
      }
      await store.addMessages('s', turns(2, 7))
      same(texts(await store.getHistory('s')), ['turn 1', 'turn 7', 'turn 8'], 'the conversation goes on from there')
      await store.addMessages('rich', [...richTurns])
      const { id } = await store.saveSnapshot('rich')
      await store.addMessages('rich', turns(2))
      await other.rollbackToSnapshot('rich', id)
      for (const handle of [store, other]) same(await handle.getHistory('rich'), richTurns, 'every field of then')
    },
  },
  {
    ...story,
    id: 'snapshots.2/the-other-snapshots-stay',
    clause: 'snapshots.2',
    title: 'after a rollback, every saved snapshot is still listed and can be rolled back to',
    async run({ store, again }) {
      const other = await again()
      const saved: string[] = []
      for (let round = 1; round <= 4; round++) {
        await store.addMessages('s', turns(1, round))
        saved.push((await store.saveSnapshot('s')).id)
      }
      same(new Set(saved).size, 4, 'every snapshot has an id of its own')
      for (const round of [2, 0, 3, 1, 3]) {
        await store.rollbackToSnapshot('s', saved[round] ?? '')
        same(await store.getHistory('s'), turns(round + 1))
        for (const handle of [store, other]) {
          const listed = (await handle.listSnapshots('s')).map(({ id }) => id)
          same(
            saved.filter((id) => listed.includes(id)),
            saved,
          )
        }
      }
      const many = await saveWithinAMillisecond(store, 'many', 60)
      same(new Set(many).size, 60, 'every snapshot has its own id, even if the clock stands still')
      const listed = (await other.listSnapshots('many')).filter(({ automatic }) => automatic !== true)
      same(
        new Set(listed.map(({ id }) => id)),
        new Set(many),
        'its 60 snapshots are listed, and none of another session',
      )
      for (const round of [0, 9, 30, 59]) {
        await other.rollbackToSnapshot('many', many[round] ?? '')
        same(await store.getHistory('many'), turns(round + 1))
      }
    },
  },
  {
    ...story,
    id: 'snapshots.4/an-unknown-snapshot-changes-nothing',
    clause: 'snapshots.4',
    title: 'rolling back to a missing snapshot, or to one of another session, is an error and changes nothing',
    async run({ store }) {
      await store.addMessages('s', turns(2))
      await store.saveSnapshot('s')
      await store.addMessages('s', turns(1, 3))
      await store.addMessages('other', turns(2, 50))
      await store.saveSnapshot('other')
      const { id: foreign } = await store.saveSnapshot('other')
      await store.addMessages('other', turns(1, 60))
      for (const id of ['no-such-snapshot', foreign]) {
        await assert.rejects(store.rollbackToSnapshot('s', id), (error) => error instanceof Error)
        same(await store.getHistory('s'), turns(3))
        same(texts(await store.getHistory('other')), ['turn 50', 'turn 51', 'turn 60'])
      }
    },
  },
  {
    ...story,
    id: 'snapshots.5/after-trim-and-clear',
    clause: 'snapshots.5',
    title: 'a rollback restores what was trimmed or cleared since, and leaves other sessions alone',
    async run({ store }) {
      await store.addMessages('other', turns(4))
      await store.addMessages('s', turns(30))
      const { id } = await store.saveSnapshot('s')
      await store.trim('s', { maxEntries: 2 })
      await store.addMessages('s', turns(1, 31))
      await store.rollbackToSnapshot('s', id)
      same(await store.getHistory('s'), turns(30))
      await store.clear('s')
      await store.rollbackToSnapshot('s', id)
      same(await store.getHistory('s'), turns(30))
      same(await store.getHistory('other'), turns(4))
    },
  },
]
