import { type Call, calls, type Filled, fill } from '../holds/calls.ts'
import { LockWatch } from '../holds/lock-watch.ts'
import { mayHold } from '../holds/may-hold.ts'
import { watchLoop } from '../holds/watch-loop.ts'
import { openOnPostgres } from '../postgres.ts'
import { openOnRedis } from '../redis.ts'
import { type Bench, type Group, type Row, rowGroup } from '../row.ts'
import { openMemory } from '../unforget.ts'
import { closeOnServer } from '../ways.ts'

/**
 * A call that takes at most this many milliseconds is repeated, and one over its bar even if it takes longer: other load on the machine only adds to
 * what is seen.
 */
const mayTake = { within: 500, over: 5_000 }
const repeated = 3

interface Fixture {
  readonly filled: Filled
  readonly lock?: LockWatch
  close(): Promise<void>
}

/** For every public call at 1,000,000 entries: how long nobody else gets a turn in this process, and how long nobody else can write. */
function holdsGroup(
  where: string,
  open: (bench: Bench) => Promise<Omit<Fixture, 'filled'> & Pick<Filled, 'memory'>>,
): Group {
  return rowGroup<Fixture>(
    async (bench) => {
      const { memory, ...rest } = await open(bench)
      return { ...rest, filled: await fill(memory, bench.size(1_000_000, 5_000)) }
    },
    (fixture) => fixture.close(),
    calls.map((call) => holdRow(where, call)),
  )
}

function holdRow(where: string, call: Call): Row<Fixture> {
  return {
    name: `hold-${where}-${call.name.replaceAll(/\W+/g, '-')}`.toLowerCase(),
    what: `${where}, 1,000,000 entries: ${call.name}`,
    baseline: `${mayHold.loop} ms of the event loop${where === 'SQLite' ? `, ${mayHold.lock} ms of the lock` : ''}`,
    async measure({ filled, lock }) {
      let least = { held: Number.POSITIVE_INFINITY, busy: 0, collected: 0, locked: Number.POSITIVE_INFINITY, took: 0 }
      let round = 0
      for (; round < repeated; round++) {
        await call.prepare?.(filled)
        await lock?.longest()
        const { held, busy, collected, took } = await watchLoop(() => call.run(filled))
        const locked = (await lock?.longest()) ?? 0
        await call.undo?.(filled)
        least = {
          held: Math.min(least.held, held),
          busy: held < least.held ? busy : least.busy,
          collected: held < least.held ? collected : least.collected,
          locked: Math.min(least.locked, locked),
          took,
        }
        const isOver = least.held > mayHold.loop || least.locked > mayHold.lock
        if (call.isLast || took > (isOver ? mayTake.over : mayTake.within)) break
      }
      const share = Math.max(least.held / mayHold.loop, least.locked / mayHold.lock)
      return {
        rounds: Math.min(round + 1, repeated),
        ratio: { min: share, q1: share, median: share, q3: share, max: share },
        figures: [
          { name: 'event loop held', value: least.held, unit: 'ms' },
          { name: 'of that, processor time of the thread', value: least.busy, unit: 'ms' },
          { name: 'longest garbage collection', value: least.collected, unit: 'ms' },
          ...(lock ? [{ name: 'lock held', value: least.locked, unit: 'ms' }] : []),
          { name: 'took', value: least.took, unit: 'ms' },
        ],
      }
    },
  }
}

export const holdsGroups: readonly Group[] = [
  holdsGroup('memory', async () => {
    const memory = await openMemory('memory:')
    return { memory, close: () => memory.close() }
  }),
  holdsGroup('SQLite', async (bench) => {
    const file = bench.freshFile('holds.db')
    const memory = await openMemory(`sqlite:${file}`)
    const lock = await LockWatch.open(file)
    return { memory, lock, close: () => Promise.all([memory.close(), lock.close()]).then(() => {}) }
  }),
  holdsGroup('Redis', async (bench) => {
    const opened = await openOnRedis(bench, { synced: false })
    return { memory: opened.memory, close: () => closeOnServer(opened) }
  }),
  holdsGroup('PostgreSQL', async (bench) => {
    const opened = await openOnPostgres(bench)
    return { memory: opened.memory, close: () => closeOnServer(opened) }
  }),
]
