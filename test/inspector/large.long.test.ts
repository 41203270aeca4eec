import { type Backend, MemoryStore } from 'unforget'
import { inspector } from 'unforget/inspector'
import { MemoryBackend } from 'unforget/memory'
import { expect, onTestFinished, test } from 'vitest'
import type { EntriesView, SessionsView } from '../../src/inspector/wire.ts'

/** Counts the calls to a backend by name, and the entries and sessions that they return. */
function counting(backend: Backend) {
  const counts = { calls: [] as string[], entries: 0, sessions: 0 }
  const counted = new Proxy(backend, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        const result: unknown = await Reflect.apply(method, target, args)
        const { entries, sessions } = Object(result) as { entries?: unknown[]; sessions?: unknown[] }
        counts.calls.push(String(name))
        counts.entries += Array.isArray(entries) ? entries.length : 0
        counts.sessions += Array.isArray(sessions) ? sessions.length : 0
        return result
      }
    },
  })
  const store = new MemoryStore(counted)
  onTestFinished(() => store.close())
  const answer = inspector(store)
  const get = async <View>(path: string) => {
    Object.assign(counts, { calls: [], entries: 0, sessions: 0 })
    const began = performance.now()
    const view = (await (await answer(new Request(`http://localhost${path}`))).json()) as View
    return { view, ...counts, milliseconds: Math.round(performance.now() - began) }
  }
  return { store, get }
}

test('a session of 1,000,000 entries is opened and paged both ways at the cost of what is shown', async () => {
  const { store, get } = counting(new MemoryBackend())
  const batch = Array.from({ length: 10_000 }, (_, index) => ({ role: 'user', content: `turn ${index}` }))
  for (let done = 0; done < 100; done++) {
    await store.addMessages('long', batch)
    if (done % 10 === 0) await store.saveSnapshot('long', { id: `at ${done}` })
  }
  await store.rollbackToSnapshot('long', 'at 90')
  await store.addMessages('long', batch.slice(0, 10))
  const views = [
    ['/api/session?session=long', 2, 0],
    ['/api/state?session=long', 1, 0],
    ['/api/entries?session=long&last=40', 2, 80],
    ['/api/entries?session=long&last=40&before=900000', 2, 80],
    ['/api/entries?session=long&first=40&after=100', 2, 80],
    ['/api/entries?session=long&around=500000&count=40', 3, 200],
    ['/api/entries?session=long&at=at%2050&last=40', 2, 80],
    ['/api/text?session=long&seq=500000', 3, 10],
  ] as const
  for (const [path, calls, entries] of views) {
    const cost = await get<EntriesView>(path)
    console.log(`${cost.milliseconds} ms, ${cost.calls.join(' ')}, ${cost.entries} entries: ${path}`)
    expect(cost.calls.length, path).toBeLessThanOrEqual(calls)
    expect(cost.entries, path).toBeLessThanOrEqual(entries)
  }
})

test('100,000 sessions are paged, and a search looks at a bounded number for each answer', async () => {
  const { store, get } = counting(new MemoryBackend())
  const ids = Array.from({ length: 100_000 }, (_, index) => `session-${index}`)
  for (let done = 0; done < ids.length; done += 1000)
    await Promise.all(
      ids.slice(done, done + 1000).map((id) => store.addMessages(id, [{ content: 'x' }], { title: `T ${id}` })),
    )
  const first = await get<SessionsView>('/api/sessions?limit=50')
  console.log(`${first.milliseconds} ms, ${first.calls.join(' ')}: the first page of 100,000 sessions`)
  expect([first.view.sessions.length, first.calls.length]).toEqual([50, 1])
  expect(first.sessions).toBeLessThanOrEqual(51)
  let cursor: string | null = null
  let looked = 0
  const found: string[] = []
  do {
    const query = new URLSearchParams({ search: 'n-9999', ...(cursor !== null && { cursor }) })
    const page: Awaited<ReturnType<typeof get<SessionsView>>> = await get<SessionsView>(`/api/sessions?${query}`)
    expect(page.sessions).toBeLessThanOrEqual(4100)
    found.push(...page.view.sessions.map(({ id }) => id))
    looked += page.view.looked
    cursor = page.view.cursor
  } while (cursor !== null)
  expect([looked, new Set(found).size]).toEqual([100_000, 11])
})
