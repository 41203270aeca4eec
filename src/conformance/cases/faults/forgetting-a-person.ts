import assert from 'node:assert/strict'
import type { FullStore } from '../../case.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'
import { overridden } from './helpers/overridden.ts'

const ids = Array.from({ length: 12 }, (_, index) => `s ${index}`)

/** How many slices it takes to remove what was erased. */
const slices = 4

/** Every way to erase a session. */
const ways: Readonly<Record<string, (store: FullStore) => Promise<unknown>>> = {
  deleteSession: (store) => store.deleteSession('s'),
  deleteSessions: (store) => store.deleteSessions({ owner: 'ann' }),
  deleteAllSessions: (store) => store.deleteAllSessions(),
}

const givenAway = new Set(['s 0', 's 7', 's 11'])

export const forgettingAPerson: WrittenCase[] = [
  {
    id: 'owners.5/taken-up-again',
    clause: 'owners.5',
    level: 'faults',
    needs: ['owners', 'faults'],
    title: 'after deleteSessions fails partway, the next call erases the rest, in as many slices as it takes',
    async run({ withFaults, wrapped }) {
      const { store, sound } = await withFaults([
        { do: 'fail before', of: 'erase', at: 5, error: new Error('the process died, as planned') },
        { do: 'fail before', of: 'sessionsOf', at: 3, error: new Error('the process died, as planned') },
      ])
      for (const id of ids) await sound.addMessages(id, turns(1), { owner: 'ann' })
      await sound.addMessages('other', turns(1), { owner: 'bob' })
      await assert.rejects(store.deleteSessions({ owner: 'ann' }))
      assert.ok((await sound.listSessions({ owner: 'ann' })).sessions.length >= 1, 'what failed is still listed')
      await assert.rejects(store.deleteSessions({ owner: 'ann' }))
      await store.deleteSessions({ owner: 'ann' })
      same(
        (await sound.listSessions()).sessions.map(({ id }) => id),
        ['other'],
      )
      same((await sound.stats()).sweepable.entries, 0)
      let asked = 0
      const { store: slow } = await wrapped(
        overridden((under) => ({
          async reclaim(scope, deadline) {
            const reclaimed = await under.reclaim(scope, deadline)
            if (scope !== 'erased') return reclaimed
            asked += 1
            return { ...reclaimed, done: asked >= slices }
          },
        })),
        { on: sound },
      )
      for (const [name, erase] of Object.entries(ways)) {
        await sound.addMessages('s', turns(3), { owner: 'ann' })
        asked = 0
        await erase(slow)
        same(asked, slices, `${name}: how often what was erased was removed until nothing was left`)
      }
    },
  },
  {
    id: 'owners.5/given-away-meanwhile',
    clause: 'owners.5',
    level: 'faults',
    needs: ['owners', 'faults'],
    title: 'a session given away while deleteSessions runs stays, and one written to does not',
    async run({ withFaults }) {
      let changing: Promise<void> | undefined
      const change = async () => {
        for (const id of ids) {
          if (givenAway.has(id)) await sound.describe(id, { owner: 'bob' })
          else await sound.addMessages(id, turns(1, 2))
        }
      }
      const meanwhile = () => {
        changing ??= change()
        return changing
      }
      const every = { of: 'erase', at: 1, times: Number.POSITIVE_INFINITY } as const
      const { store, sound } = await withFaults([{ do: 'pause', ...every, meanwhile }], { timeout: 10_000 })
      for (const id of ids) await sound.addMessages(id, turns(1), { owner: 'ann' })
      assert.equal(await store.deleteSessions({ owner: 'ann' }), ids.length - givenAway.size)
      const left = (await sound.listSessions()).sessions.map(({ id }) => id)
      same(new Set(left), givenAway, 'what was given away is left, and nothing else')
      for (const id of left) same(await sound.getHistory(id), turns(1), `${id} is what it was`)
    },
  },
]
