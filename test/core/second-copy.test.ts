import { cpSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Backend, MemoryStore } from 'unforget'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const turn = { role: 'user', content: 'My name is Wang' } as const

let folder: string
let second: typeof import('unforget') & typeof import('unforget/memory')

beforeAll(async () => {
  requireFreshBuild()
  folder = await mkdtemp(join(tmpdir(), 'unforget-second-'))
  cpSync(here('dist'), join(folder, 'dist'), { recursive: true })
  cpSync(here('package.json'), join(folder, 'package.json'))
  symlinkSync(here('node_modules'), join(folder, 'node_modules'), 'junction')
  const load = (path: string) => import(pathToFileURL(join(folder, 'dist', path)).href)
  second = { ...(await load('index.js')), ...(await load('backends/memory/index.js')) }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A store of ours on a backend of the second copy, whose next calls of a method fail with errors of that copy. */
function storeOnSecond(method: keyof Backend, errors: Error[]): MemoryStore {
  const backend: Backend = new second.MemoryBackend()
  return new MemoryStore(
    new Proxy(backend, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...parameters: unknown[]) => {
          const error = name === method ? errors.shift() : undefined
          if (error !== undefined) throw error
          return value.apply(target, parameters)
        }
      },
    }),
  )
}

test('the second copy has classes of its own', () => {
  expect(second.MemoryStore).not.toBe(MemoryStore)
})

test('a failure that may pass is tried again', async () => {
  const failure = new second.MemoryStoreBackendError('BACKEND_FAILED', 'away', { applied: 'no', retryable: true })
  const store = storeOnSecond('commit', [failure])
  expect(await store.addMessages('s', [turn])).toMatchObject({ seqs: [1] })
})

test('an attempt whose outcome was unknown is told as such', async () => {
  const unknown = new second.MemoryStoreBackendError('TIMEOUT', 'late', { applied: 'unknown', retryable: true })
  const final = new second.MemoryStoreBackendError('DISK_FULL', 'full', { applied: 'no' })
  const store = storeOnSecond('commit', [unknown, final])
  await expect(store.addMessages('s', [turn])).rejects.toMatchObject({ code: 'BACKEND_FAILED', applied: 'unknown' })
})

test('a path that changed meanwhile is read again', async () => {
  const errors: Error[] = []
  const store = storeOnSecond('commit', errors)
  await store.addMessages('s', [turn, turn])
  errors.push(new second.VersionConflictError('s', 'epoch', 'a', 'b'))
  expect(await store.trim('s', { maxEntries: 1 })).toMatchObject({ removed: 1 })
})

test('a session that exists is not begun by a fork', async () => {
  const store = storeOnSecond('commit', [])
  await store.addMessages('s', [turn])
  await store.addMessages('t', [turn])
  await expect(store.fork('s', 't')).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
})

test('what is lost is counted as damage, and all else is done', async () => {
  const lost = () => new second.MemoryLostError('s', [1], 'gone')
  const store = storeOnSecond('snapshots', [lost(), lost()])
  await store.addMessages('s', [turn])
  expect(await store.verify('s')).toMatchObject({ ok: false, damage: [{ session: 's', seqs: [1], reason: 'gone' }] })
  expect(await store.sweep('s')).toMatchObject({ damaged: ['s'] })
})

test('a slice that could not be swept harms nothing', async () => {
  const full = new second.MemoryStoreBackendError('DISK_FULL', 'full', { applied: 'no' })
  const store = storeOnSecond('drop', [full])
  await store.addMessages('s', [turn, turn])
  expect(await store.trim('s', { maxEntries: 1 })).toMatchObject({ removed: 1 })
})
