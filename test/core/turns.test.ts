import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/index.ts'
import { faulty } from '../../src/faults/index.ts'
import { type Backend, MemoryStore, type MessageInput } from '../../src/index.ts'

const one: MessageInput[] = [{ role: 'user', content: 'x' }]

/** A memory that two stores share, and the calls that one of them makes. */
function shared() {
  const memory = new MemoryBackend()
  const calls: string[] = []
  const told: Backend = new Proxy(memory, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...parameters: unknown[]): unknown => {
        calls.push(String(name))
        return Reflect.apply(value, target, parameters)
      }
    },
  })
  return { memory, calls, told: new MemoryStore(told), other: new MemoryStore(memory) }
}

function waiting() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}

test('a backend without turns is refused in plain words', async () => {
  const without = new Proxy(new MemoryBackend() as Backend, {
    get: (target, name) => {
      const value: unknown = name === 'takeTurn' ? undefined : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await using memory = new MemoryStore(without)
  const refused = memory.withTurn('a', () => {})
  await expect(refused).rejects.toMatchObject({ name: 'TypeError', message: 'this backend does not support turns' })
})

test('options that are none are refused', async () => {
  await using memory = new MemoryStore(new MemoryBackend())
  for (const options of [{ wait: -1 }, { lease: 0 }, { lease: 2 ** 31 }, { signal: {} }, { leese: 5 }]) {
    await expect(memory.withTurn('a', () => {}, options as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  }
  await expect(memory.withTurn('', () => {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('a turn of one write is three calls to the backend', async () => {
  const { told, calls } = shared()
  await told.withTurn('a', (turn) => turn.addMessages(one))
  expect(calls.filter((call) => call !== 'reclaim')).toEqual(['takeTurn', 'commit', 'endTurn'])
})

test('of those who wait in one process only the first asks the backend', async () => {
  const { told, other, calls } = shared()
  const held = waiting()
  const taken = waiting()
  const holder = other.withTurn('a', () => {
    taken.end()
    return held.promise
  })
  await taken.promise
  const order: number[] = []
  const waiters = [1, 2, 3, 4].map((number) => told.withTurn('a', () => void order.push(number)))
  const late = told.withTurn('a', () => {}, { wait: 100 })
  await expect(late).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  const asked = calls.length
  expect(asked).toBeLessThan(20)
  held.end()
  await Promise.all([holder, ...waiters])
  expect(order).toEqual([1, 2, 3, 4])
  expect(calls.slice(asked).filter((call) => call === 'takeTurn').length).toBeLessThanOrEqual(6)
})

test('who waits for a turn that nobody renews gets it when its lease ends', async () => {
  const { memory, told, calls } = shared()
  await memory.takeTurn('a', { token: 'of one who is gone', milliseconds: 120 })
  await told.withTurn('a', (turn) => turn.addMessages(one), { wait: 5000 })
  expect(calls.filter((call) => call === 'takeTurn').length).toBeLessThan(20)
})

test('an unknown outcome of taking the turn is settled by taking it again', async () => {
  const backend = faulty(new MemoryBackend(), [{ do: 'fail after', of: 'takeTurn', at: 1 }])
  await using memory = new MemoryStore(backend)
  await memory.withTurn('a', (turn) => turn.addMessages(one), { wait: 0 })
  expect(backend.pending).toEqual([])
})

test('a turn that could not be taken for sure is given up', async () => {
  const memory = new MemoryBackend()
  const backend = faulty(memory, [{ do: 'fail after', of: 'takeTurn', at: 1, times: 1e9 }])
  const store = new MemoryStore(backend, { timeout: 50 })
  await expect(store.withTurn('a', () => {})).rejects.toMatchObject({ code: 'BACKEND_FAILED' })
  expect(await memory.takeTurn('a', { token: 'another', milliseconds: 1000 })).toBeNull()
})

test('a turn that cannot be ended is published, and its result stays', async () => {
  const events: unknown[] = []
  const note = (event: unknown) => void events.push(event)
  subscribe('unforget:turn', note)
  onTestFinished(() => void unsubscribe('unforget:turn', note))
  const backend = faulty(new MemoryBackend(), [{ do: 'fail before', of: 'endTurn', at: 1, times: 1e9 }])
  const store = new MemoryStore(backend, { timeout: 50 })
  expect(await store.withTurn('a', () => 5)).toBe(5)
  expect(events).toMatchObject([{ method: 'endTurn', session: 'a', error: { code: 'BACKEND_FAILED' } }])
})

test('a rewind that is done stays done, though the turn is lost before it has tidied up', async () => {
  const memory = new MemoryBackend()
  const outside = new MemoryStore(memory)
  let writes = 0
  const backend = faulty(memory, [
    {
      do: 'pause',
      of: 'commit',
      at: 1,
      times: 4,
      meanwhile: async () => {
        writes += 1
        if (writes < 3) await outside.addMessages('a', one)
        if (writes === 4) await memory.endTurn('a', token)
      },
    },
  ])
  let token = ''
  const spied: Backend = new Proxy(backend, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'takeTurn') return value
      return (session: string, lease: { token: string }, deadline: number) => {
        token = lease.token
        return (value as NonNullable<Backend['takeTurn']>)(session, lease as never, deadline)
      }
    },
  })
  const store = new MemoryStore(spied)
  await outside.addMessages('a', [...one, ...one])
  const turn = store.withTurn('a', async (held) => {
    const { removed } = await held.rewind({ to: 1 })
    expect(removed).toHaveLength(3)
  })
  await expect(turn).rejects.toMatchObject({ code: 'TURN_LOST' })
  expect(await outside.getHistory('a')).toHaveLength(1)
})

test('code that was started in a turn may take the next one', async () => {
  await using memory = new MemoryStore(new MemoryBackend())
  const ended = waiting()
  const background: Promise<unknown>[] = []
  await memory.withTurn('a', () => {
    background.push(ended.promise.then(() => memory.withTurn('a', (turn) => turn.addMessages(one))))
  })
  ended.end()
  await Promise.all(background)
  expect(await memory.getHistory('a')).toHaveLength(1)
})

test('a function that closes its own store does not wait for itself', async () => {
  const memory = new MemoryStore(new MemoryBackend())
  await memory.withTurn('a', () => memory.close())
  await expect(memory.withTurn('a', () => {})).rejects.toMatchObject({ code: 'STORE_CLOSED' })
})

test.each(Array.from({ length: 40 }, (_, steps) => steps))(
  'a signal that aborts after %i steps of the call is heard',
  async (steps) => {
    const store = new MemoryStore(new MemoryBackend())
    const controller = new AbortController()
    const reason = new Error('stop')
    const heard = waiting()
    const turn = store.withTurn(
      's',
      async (_, own) => {
        own.addEventListener('abort', heard.end)
        if (own.aborted) heard.end()
        await heard.promise
        own.throwIfAborted()
      },
      { signal: controller.signal },
    )
    const ended = expect(turn).rejects.toBe(reason)
    for (let step = 0; step < steps; step++) await Promise.resolve()
    controller.abort(reason)
    await ended
  },
)
