import { MemoryStore } from 'unforget'
import { type FaultPlan, faulty } from 'unforget/faults'
import { MemoryBackend } from 'unforget/memory'
import { expect, test } from 'vitest'

const turn = [{ role: 'user' as const, content: 'hello' }]

function storeWith(plan: FaultPlan, timeout = 60) {
  const memory = new MemoryBackend()
  const backend = faulty(memory, plan)
  return { store: new MemoryStore(backend, { timeout }), backend, sound: new MemoryStore(memory) }
}

test('without a plan nothing fails, and calls are counted', async () => {
  const { store, backend } = storeWith([])
  await store.addMessages('s', turn)
  expect(await store.getHistory('s')).toEqual(turn)
  expect(backend.fired).toEqual([])
  expect(backend.calls).toBe(2)
  expect(backend.name).toBe('memory')
})

test('a failure before leaves nothing, one after leaves the write', async () => {
  for (const [kind, kept, applied] of [
    ['fail before', [], 'no'],
    ['fail after', turn, 'unknown'],
  ] as const) {
    const { store, backend, sound } = storeWith(
      [{ do: kind, at: 1, of: 'commit', times: Number.POSITIVE_INFINITY }],
      300,
    )
    await expect(store.addMessages('s', turn)).rejects.toMatchObject({ code: 'BACKEND_FAILED', applied })
    expect(await sound.getHistory('s')).toEqual(kept)
    expect(backend.fired[0]).toEqual({ call: 1, method: 'commit', did: kind })
    expect(backend.fired.length).toBeGreaterThan(1)
  }
})

test('a hang ends by the deadline of the store', async () => {
  for (const [kind, kept] of [
    ['hang before', []],
    ['hang after', turn],
  ] as const) {
    const { store, sound } = storeWith([{ do: kind, at: 1 }])
    await expect(store.addMessages('s', turn)).rejects.toMatchObject({ code: 'TIMEOUT', applied: 'unknown' })
    expect(await sound.getHistory('s')).toEqual(kept)
  }
})

test('what is delayed is carried out after what is not', async () => {
  const { store, backend } = storeWith([{ do: 'delay', milliseconds: 20, at: 1 }], 60_000)
  const late = store.addMessages('s', [{ role: 'user', content: 'late' }])
  await store.addMessages('s', turn)
  expect(await store.getHistory('s')).toEqual(turn)
  await late
  expect((await store.getHistory('s')).map(({ content }) => content)).toEqual(['hello', 'late'])
  expect(backend.fired).toMatchObject([{ did: 'delay' }])
})

test('faults are counted by method, and those that have not fired are told', async () => {
  const { store, backend } = storeWith(
    [
      { do: 'fail before', at: 2, of: ['commit', 'read'] },
      { do: 'fail before', at: 1, of: 'erase' },
    ],
    5000,
  )
  await store.addMessages('s', turn)
  expect(backend.pending.length).toBe(2)
  expect(await store.getHistory('s')).toEqual(turn)
  expect(backend.fired).toEqual([{ call: 2, method: 'read', did: 'fail before' }])
  expect(backend.pending).toEqual([{ do: 'fail before', at: 1, of: 'erase' }])
})

test('an error of your own is thrown as it is', async () => {
  const error = new Error('OOM command not allowed')
  const { store } = storeWith([{ do: 'fail before', at: 1, error }])
  await expect(store.addMessages('s', turn)).rejects.toBe(error)
})

test('the same seed fails at the same calls, another one at others', async () => {
  const run = async (seed: number) => {
    const { store, backend } = storeWith({ seed, rate: 0.5, of: 'read' }, 60_000)
    for (let index = 0; index < 20; index++) await store.getHistory('s')
    return backend.fired
  }
  const fired = await run(3)
  expect(fired.length).toBeGreaterThan(3)
  expect(fired.every(({ method }) => method === 'read')).toBe(true)
  expect(await run(3)).toEqual(fired)
  expect(await run(4)).not.toEqual(fired)
})

test('a plan that makes no sense is refused', () => {
  for (const plan of [
    [{ do: 'hang before', at: 0 }],
    [{ do: 'hang before', at: 1.5 }],
    [{ do: 'delay', at: 1, times: 0 }],
  ]) {
    expect(() => faulty(new MemoryBackend(), plan as FaultPlan)).toThrow(TypeError)
  }
})
