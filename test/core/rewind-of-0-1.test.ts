import { expect, test } from 'vitest'
import { MemoryBackend } from '../../src/backends/memory/memory-backend.ts'
import { type Backend, type Change, MemoryStore } from '../../src/index.ts'

/** Keeps of a rewind what 0.1 kept: the path that was cut, and nothing else. */
function asOlderVersion(backend: Backend): Backend {
  return new Proxy(backend, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'commit') return value.bind(target)
      return (session: string, change: Change, deadline: number) => {
        const { answer } = change.operation
        const { cut } = JSON.parse(answer ?? '{}') as { cut?: unknown }
        const operation = { ...change.operation, ...(cut !== undefined && { answer: JSON.stringify(cut) }) }
        return target.commit(session, { ...change, operation }, deadline)
      }
    },
  })
}

test('a rewind that 0.1 made returns the same when it is repeated', async () => {
  const memory = new MemoryStore(asOlderVersion(new MemoryBackend()))
  await memory.addMessages('s', [
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ])
  const first = await memory.rewind('s', { to: 1, operationId: 'once' })
  expect(first.removed.map(({ seq }) => seq)).toEqual([2])
  expect(await memory.rewind('s', { to: 1, operationId: 'once' })).toEqual(first)
})
