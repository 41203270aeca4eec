import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/core/backend.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { type FaultPlan, faulty } from '../../src/faults/index.ts'
import { everyBackend } from './every-backend.ts'

const { cases } = await everyBackend()
const turns = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `turn ${from + index}` }))

async function failing(open: () => Promise<{ backend: Backend; store: MemoryStore }>, plan: FaultPlan) {
  const { backend, store: sound } = await open()
  for (const from of [1, 1001, 2001]) await sound.addMessages('s', turns(1000, from))
  const wrapped = faulty(backend, plan)
  return { sound, wrapped, store: new MemoryStore(wrapped, { timeout: 2000 }) }
}

async function nothingLeft(sound: MemoryStore): Promise<void> {
  expect(await sound.sessionInfo('t')).toBe(null)
  expect(await sound.verify()).toMatchObject({ ok: true, sessions: 1 })
  expect((await sound.stats()).sweepable).toEqual({ entries: 0, bytes: 0 })
}

describe.each(cases)('%s', (_, open) => {
  test('a slice, and the commit that publishes, may fail and be tried again', async () => {
    const { sound, wrapped, store } = await failing(open, [
      { do: 'fail before', of: 'stage', at: 1 },
      { do: 'fail after', of: 'stage', at: 3 },
      { do: 'fail after', of: 'commit', at: 1 },
    ])
    expect((await store.fork('s', 't')).entries).toBe(3000)
    expect(wrapped.pending).toEqual([])
    expect(await sound.getHistory('t')).toEqual(turns(3000))
    await sound.deleteSession('t')
    await store.importSession({ ...(await sound.exportSession('s')), id: 't' })
    expect(await sound.getHistory('t')).toEqual(turns(3000))
  })

  test('a fork or an import that cannot be written wrote nothing, says so, and leaves nothing', async () => {
    const { sound, store } = await failing(open, [{ do: 'fail after', of: 'stage', at: 2, times: Infinity }])
    const refused = { code: 'BACKEND_FAILED', applied: 'no' }
    await expect(store.fork('s', 't')).rejects.toMatchObject(refused)
    await nothingLeft(sound)
    const copy = { ...(await sound.exportSession('s')), id: 't' }
    await expect(store.importSession(copy)).rejects.toMatchObject(refused)
    await nothingLeft(sound)
    expect((await sound.importSession(copy)).entries).toBe(3000)
  })

  test('a fork whose path is cut and swept while it is copied is made of the new path', async () => {
    const cut = async () => {
      await sound.trim('s', { maxEntries: 900 })
      await sound.sweep('s')
    }
    const { sound, wrapped, store } = await failing(open, [{ do: 'pause', of: 'stage', at: 1, meanwhile: cut }])
    await sound.rewind('s', { to: 2999 })
    await sound.addSummary('s', { text: 'at the end' })
    expect((await store.fork('s', 't')).entries).toBe(901)
    expect(wrapped.pending).toEqual([])
    expect(await sound.getHistory('t')).toEqual(turns(900, 2100))
    expect((await sound.stats()).sweepable).toEqual({ entries: 0, bytes: 0 })
    expect(await sound.verify()).toMatchObject({ ok: true, sessions: 2 })
  })

  test('a target that is begun while a fork is written is left as it is, and nothing of the fork stays', async () => {
    const meanwhile = () => sound.addMessages('t', turns(1))
    const { sound, store } = await failing(open, [{ do: 'pause', of: 'stage', at: 2, meanwhile }])
    await expect(store.fork('s', 't')).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
    expect(await sound.getHistory('t')).toEqual(turns(1))
    expect((await sound.stats()).sweepable).toEqual({ entries: 0, bytes: 0 })
    expect(await sound.verify()).toMatchObject({ ok: true, sessions: 2, entries: 3001 })
  })
})
