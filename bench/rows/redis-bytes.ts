import { createClient } from 'redis'
import type { MemoryStore } from 'unforget'
import { spreadOf } from '../measure.ts'
import { openOnRedis } from '../redis.ts'
import { rowGroup } from '../row.ts'
import { makeTurn } from '../turns.ts'
import { closeOnServer, type OnServer } from '../ways.ts'

/** The size of the keys according to the server. It hardly varies, so one round is enough. */
export const redisBytesGroup = rowGroup<OnServer>((bench) => openOnRedis(bench, { synced: false }), closeOnServer, [
  {
    name: 'redis-bytes',
    what: 'Redis: memory of the server after 10,000 turns of 500 bytes, appended one by one',
    baseline: 'a list of the same bytes',
    async measure({ bench, memory, server }) {
      const bare = makeClient(server.url)
      await bare.connect()
      const few = await measureEntries(memory, bare, 100)
      const many = await measureEntries(memory, bare, bench.size(10_000, 200))
      bare.destroy()
      return {
        rounds: 1,
        ratio: spreadOf([many.ours / many.list]),
        figures: [
          { name: 'per entry', value: many.ours, unit: 'bytes' },
          { name: 'list', value: many.list, unit: 'bytes' },
          { name: 'per entry after 100 turns', value: few.ours, unit: 'bytes' },
          { name: 'list', value: few.list, unit: 'bytes' },
        ],
      }
    },
  },
])

type BareClient = ReturnType<typeof makeClient>

function makeClient(url: string) {
  return createClient({ url })
}

/** Bytes per entry, with all keys that a session has. */
async function measureEntries(
  memory: MemoryStore,
  bare: BareClient,
  entries: number,
): Promise<{ ours: number; list: number }> {
  await bare.flushAll()
  for (let index = 0; index < entries; index++) {
    const turn = makeTurn(index)
    await memory.addMessages('user-42', [turn])
    await bare.rPush('list', JSON.stringify(turn))
  }
  const keys = await bare.keys('*')
  const ours = keys.filter((key) => key !== 'list')
  return { ours: (await bytesOf(bare, ours)) / entries, list: (await bytesOf(bare, ['list'])) / entries }
}

async function bytesOf(bare: BareClient, keys: readonly string[]): Promise<number> {
  let bytes = 0
  for (const key of keys) bytes += (await bare.memoryUsage(key, { SAMPLES: 0 })) ?? 0
  return bytes
}
