import { after } from '../../../plain/after.ts'
import type { FullStore } from '../../case.ts'
import { fakeClock } from '../helpers/fake-clock.ts'
import { NotInTime, patience } from '../helpers/patience.ts'
import { same } from '../helpers/same.ts'
import { turns } from '../helpers/samples.ts'
import type { WrittenCase } from '../written-case.ts'

const hour = 3_600_000

/** How often to look for what happens in the background, ten milliseconds apart. */
const looks = () => patience() / 10

/** Waits until nothing is left of what has expired. A server may have removed it at once. */
async function untilErased(store: FullStore, when: string): Promise<void> {
  for (let look = 0; look < looks(); look++) {
    if ((await store.stats()).sweepable.entries === 0) return
    await after(10).promise
  }
  throw new NotInTime(`what expired more than a day ago is not erased ${when}`)
}

async function addExpired(store: FullStore, session: string, ago: number): Promise<void> {
  await store.addMessages(session, turns(3))
  await store.saveSnapshot(session)
  await store.expire(session, { at: Date.now() - ago })
}

export const erasedByItself: WrittenCase[] = [
  {
    id: 'ttl.7/when-opened',
    clause: 'ttl.7',
    level: 'full',
    title: 'opening a handle erases what expired more than a day ago, and nothing else',
    async run({ store, again }) {
      await store.addMessages('kept', turns(2))
      await store.addMessages('later', turns(2))
      await store.expire('later', { at: Date.now() + hour })
      for (let number = 0; number < 5; number++) await addExpired(store, `expired ${number}`, 25 * hour)
      await again()
      await untilErased(store, 'when the memory is opened')
      for (const session of ['kept', 'later']) same(await store.getHistory(session), turns(2))
      same((await store.verify()).damage, [])
    },
  },
  {
    id: 'ttl.7/while-writing',
    clause: 'ttl.7',
    level: 'full',
    title: 'a handle that stays open erases what expired more than a day ago as it writes',
    async run({ store }) {
      await store.addMessages('kept', turns(1))
      await untilErased(store, 'at the beginning')
      const clock = fakeClock()
      try {
        for (let round = 1; round <= 2; round++) {
          await addExpired(store, `expired ${round}`, 25 * hour)
          clock.set(Date.now() + hour)
          await store.addMessages('kept', turns(1, round + 1))
          await untilErased(store, 'during writes')
        }
      } finally {
        clock.restore()
      }
      same(await store.getHistory('kept'), turns(3))
    },
  },
  {
    id: 'ttl.7/a-margin-of-a-day',
    clause: 'ttl.7',
    level: 'full',
    title: 'a session that expired only by a clock hours ahead comes back; sweep erases at once',
    async run({ store, again }) {
      const real = Date.now()
      await store.addMessages('s', turns(2))
      await store.expire('s', { at: real + hour })
      await addExpired(store, 'old', 25 * hour)
      const clock = fakeClock()
      try {
        clock.set(real + 20 * hour)
        const other = await again()
        await other.addMessages('kept', turns(1))
        for (let look = 0; look < looks() / 2 && (await hasTraces(store, 3)); look++) await after(10).promise
        clock.set(real)
        same(await other.getHistory('s'), turns(2), 'it expired less than a day ago, by a wrong clock')
      } finally {
        clock.restore()
      }
      await addExpired(store, 'expired', hour)
      await store.sweep()
      same((await store.stats()).sweepable, { entries: 0, bytes: 0 }, 'sweep does not wait for a day')
      same(await store.getHistory('s'), turns(2))
    },
  },
]

/** Whether what is left of expired sessions has more entries than the one that stays for a day. */
async function hasTraces(store: FullStore, entries: number): Promise<boolean> {
  return (await store.stats()).sweepable.entries >= entries
}
