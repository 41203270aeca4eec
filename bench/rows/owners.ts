import type { MemoryStore } from 'unforget'
import { repeat, spreadOf } from '../measure.ts'
import { openOnPostgres } from '../postgres.ts'
import { openOnRedis } from '../redis.ts'
import { type Bench, type Group, type Row, rowGroup } from '../row.ts'
import { makeTurn } from '../turns.ts'
import { openMemory } from '../unforget.ts'
import { closeOnServer } from '../ways.ts'

interface Opened {
  readonly memory: MemoryStore
  close(): Promise<void>
}

interface Fixture extends Opened {
  readonly bench: Bench
}

/** How many milliseconds a page of an owner's sessions may take. */
const mayTake = 10

/** Sessions that are begun at the same time while the store is filled. */
const atOnce = 500

/** 100,000 sessions of 1,000 owners, and one owner with 10,000: a page of 50, as a sidebar asks for it. */
function ownersGroup(where: string, open: (bench: Bench) => Promise<Opened>): Group {
  return rowGroup<Fixture>(
    async (bench) => {
      const opened = await open(bench)
      await fill(opened.memory, bench.size(100_000, 2_000), (index) => `owner ${index % bench.size(1_000, 20)}`)
      await fill(opened.memory, bench.size(10_000, 500), () => 'busy', 'busy ')
      return { ...opened, bench }
    },
    (fixture) => fixture.close(),
    [pageRow(where, 'one of 1,000 owners', 'owner 7'), pageRow(where, 'an owner with 10,000', 'busy')],
  )
}

function pageRow(where: string, whose: string, owner: string): Row<Fixture> {
  return {
    name: `owner-page-${where}-${owner}`.replaceAll(/\W+/g, '-').toLowerCase(),
    what: `${where}, 110,000 sessions: a page of 50 of ${whose}`,
    baseline: `${mayTake} ms`,
    async measure({ bench, memory }) {
      const times = await repeat(
        async () => {
          const began = performance.now()
          await memory.listSessions({ owner, limit: 50 })
          return performance.now() - began
        },
        { warmUp: bench.size(10, 2), rounds: bench.size(200, 10) },
      )
      const { median } = spreadOf(times)
      return {
        rounds: times.length,
        ratio: spreadOf(times.map((time) => time / mayTake)),
        figures: [{ name: 'a page', value: median, unit: 'ms' }],
      }
    },
  }
}

async function fill(
  memory: MemoryStore,
  count: number,
  ownerOf: (index: number) => string,
  prefix = 'session ',
): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => from + index)
    await Promise.all(
      indexes.map((index) =>
        memory.addMessages(`${prefix}${index}`, [makeTurn(index)], { owner: ownerOf(index), title: `Chat ${index}` }),
      ),
    )
  }
}

async function openHere(url: string): Promise<Opened> {
  const memory = await openMemory(url, { timeout: 60_000 })
  return { memory, close: () => memory.close() }
}

export const ownersGroups: readonly Group[] = [
  ownersGroup('memory', () => openHere('memory:')),
  ownersGroup('SQLite', (bench) => openHere(`sqlite:${bench.freshFile('owners.db')}`)),
  ownersGroup('Redis', async (bench) => {
    const opened = await openOnRedis(bench, { synced: false })
    return { memory: opened.memory, close: () => closeOnServer(opened) }
  }),
  ownersGroup('PostgreSQL', async (bench) => {
    const opened = await openOnPostgres(bench)
    return { memory: opened.memory, close: () => closeOnServer(opened) }
  }),
]
