import { MemoryStore } from 'unforget'
import { RedisBackend } from 'unforget/redis'
import { expect, test } from 'vitest'
import { keysByKind, serveFile, user } from './servers.ts'

const { server, bare } = await serveFile()
const soon = () => performance.now() + 60_000

test('redis.13: the bytes of paths grow with the number of rollbacks, and every one of them is still read', async () => {
  const backend = await RedisBackend.open(server.url, { prefix: 'differences' })
  await using memory = new MemoryStore(backend)
  const bytes: number[] = []
  for (let turn = 1; turn <= 1000; turn++) {
    await memory.addMessages('s', [user(`kept ${turn}`)])
    await memory.saveSnapshot('s', { id: `${turn}` })
    await memory.addMessages('s', [user('given up')])
    await memory.rollbackToSnapshot('s', `${turn}`)
    if (turn % 500 === 0) {
      const state = (await keysByKind(bare, 'differences')).get('state') as string
      bytes.push(Number(await bare.sendCommand(['MEMORY', 'USAGE', state, 'SAMPLES', '0'])))
    }
  }
  const [half = 0, whole = 0] = bytes
  expect(whole).toBeLessThan(2.2 * half)
  const contents = (at: string) => memory.getHistory('s', { at }).then((all) => all.map(({ content }) => content))
  const kept = Array.from({ length: 1000 }, (_, index) => `kept ${index + 1}`)
  for (const at of ['1', '500', '999', '1000']) expect(await contents(at)).toEqual(kept.slice(0, Number(at)))
  const { epochs } = await backend.snapshots('s', soon())
  expect(epochs.filter(({ base }) => base !== null).length).toBeGreaterThan(900)
  expect((await memory.verify('s')).damage).toEqual([])
})

test('redis.13: a path whose base is missing or damaged is lost, and the present one is not', async () => {
  const backend = await RedisBackend.open(server.url, { prefix: 'bases' })
  await using memory = new MemoryStore(backend)
  for (let turn = 1; turn <= 12; turn++) {
    await memory.addMessages('s', [user(`kept ${turn}`)])
    await memory.saveSnapshot('s', { id: `${turn}` })
    await memory.addMessages('s', [user('given up')])
    await memory.rollbackToSnapshot('s', `${turn}`)
  }
  const state = (await keysByKind(bare, 'bases')).get('state') as string
  const epoch = (await backend.read('s', { snapshot: '11' }, soon())).snapshot?.record.epoch ?? 0
  const base = /^- \S+ \S+ (\d+) /.exec((await bare.hGet(state, `e:${epoch}`)) ?? '')?.[1]
  expect(base).toBeDefined()
  for (const damaged of ['- rollback 1', 'something else']) {
    await bare.hSet(state, `e:${base}`, damaged)
    await expect(memory.getHistory('s', { at: '11' })).rejects.toMatchObject({ code: 'MEMORY_LOST' })
    expect(await memory.getHistory('s')).toHaveLength(12)
  }
  await bare.hDel(state, `e:${base}`)
  await expect(memory.getHistory('s', { at: '11' })).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  await expect(memory.listSnapshots('s')).rejects.toMatchObject({ code: 'MEMORY_LOST' })
  expect(await memory.getHistory('s')).toHaveLength(12)
})
