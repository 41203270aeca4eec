import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/core/backend.ts'
import { MemoryStoreBackendError } from '../../src/core/errors.ts'
import { MemoryStore } from '../../src/core/memory-store.ts'
import { everyBackend, patientTimeout } from './every-backend.ts'

const { cases } = await everyBackend()
const said = (content: string) => [{ role: 'user' as const, content }]
const count = 500

/** Counts the calls of a method, and how many are under way at once at most. */
function counting(backend: Backend, method: 'erase' | 'commit', fail?: (session: string) => boolean) {
  const seen = { reclaims: 0, calls: 0, atOnce: 0 }
  let underWay = 0
  const wrapped = new Proxy(backend, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...parameters: unknown[]) => {
        if (name === 'reclaim') seen.reclaims += 1
        if (name !== method) return value.apply(target, parameters)
        seen.calls += 1
        underWay += 1
        seen.atOnce = Math.max(seen.atOnce, underWay)
        try {
          if (fail?.(parameters[0] as string)) {
            throw new MemoryStoreBackendError('BACKEND_FAILED', 'it failed', { applied: 'no' })
          }
          return await value.apply(target, parameters)
        } finally {
          underWay -= 1
        }
      }
    },
  })
  return { seen, store: new MemoryStore(wrapped, { timeout: patientTimeout }) }
}

const fill = (store: MemoryStore) =>
  Promise.all(Array.from({ length: count }, (_, index) => store.addMessages(`session-${index}`, said('forget-me'))))

describe.each(cases)('%s', (name, open) => {
  /** Memory does each at once. */
  const some = name === 'memory' ? 0 : 8

  test('clearing.2: all sessions are cleared, and then deleted, many at a time', async () => {
    const { backend, store } = await open()
    await fill(store)
    const clearing = counting(backend, 'commit')
    expect(await clearing.store.clearAll()).toBe(count)
    expect(clearing.seen.calls).toBe(count)
    expect(clearing.seen.atOnce).toBeGreaterThan(some)
    expect(clearing.seen.atOnce).toBeLessThanOrEqual(64)
    const { sessions } = await store.listSessions({ limit: count + 1 })
    expect([sessions.length, sessions.every(({ entries }) => entries === 0)]).toEqual([count, true])

    await store.addMessages('session-0', said('again'))
    const deleting = counting(backend, 'erase')
    expect(await deleting.store.deleteAllSessions()).toBe(count)
    expect(deleting.seen.atOnce).toBeGreaterThan(some)
    expect(deleting.seen.atOnce).toBeLessThanOrEqual(64)
    expect(deleting.seen.reclaims).toBeLessThanOrEqual(5)
    expect(await store.listSessions()).toEqual({ sessions: [], damaged: [], cursor: null })
    expect(await store.stats()).toMatchObject({ sessions: 0, sweepable: { entries: 0, bytes: 0 } })
  })

  test('one that cannot be deleted is the error, no more are begun, and what was erased is reclaimed', async () => {
    const { backend, store } = await open()
    await fill(store)
    const failing = counting(backend, 'erase', (session) => session === 'session-250')
    await expect(failing.store.deleteAllSessions()).rejects.toMatchObject({ code: 'BACKEND_FAILED', applied: 'no' })
    expect(failing.seen.reclaims).toBeGreaterThan(0)
    const { sessions, sweepable } = await store.stats()
    expect([sessions, sweepable.entries]).toEqual([count + 1 - failing.seen.calls, 0])
    expect((await store.getHistory('session-250')).length).toBe(1)
  })

  test.runIf(name === 'sqlite')('sqlite.11: nothing of what was deleted is in the file or its log', async () => {
    const { store, place } = await open()
    await fill(store)
    const left = async () => {
      const folder = dirname(place)
      const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'latin1')))
      return files.join('').match(/session-\d|forget-me/g)?.length ?? 0
    }
    expect(await left()).toBeGreaterThan(0)
    await store.deleteAllSessions()
    expect(await left()).toBe(0)
  })
})
