import type { AgentInputItem } from '@openai/agents-core'
import { MemoryStore, MemoryStoreBackendError } from 'unforget'
import { faulty } from 'unforget/faults'
import { SuffixConflictError, UnforgetSession } from 'unforget/openai-agents'
import { describe, expect, test } from 'vitest'
import { everyBackend } from '../../backends/every-backend.ts'
import { head, tail } from './tails.ts'

const { cases } = await everyBackend()

const replaceCall = { type: 'function_call' as const, callId: 'x', name: 'search', arguments: 'new' }
const replacements: Record<string, (session: UnforgetSession) => Promise<unknown>> = {
  'a suffix': (session) =>
    session.applyHistoryTransaction({
      operationId: 'once',
      transaction: { type: 'replace_suffix', expectedSuffix: tail(3), replacement: tail(2) },
    }),
  'the last item': (session) => session.popItem(),
  'a function call': (session) =>
    session.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'x', replacement: replaceCall }],
    }),
  'the history': (session) => session.replaceHistoryWithCompaction([{ type: 'compaction', encrypted_content: 'x' }]),
}

/** As if the process ended there: nothing comes after it. */
const end = new MemoryStoreBackendError('BACKEND_FAILED', 'the process ended', { applied: 'unknown', retryable: false })

describe.each(cases)('on %s, an end at any call to the backend while it replaces', (_name, open) => {
  test.each(Object.entries(replacements))('%s leaves the old items or the new ones', async (_what, replace) => {
    const { backend, store } = await open()
    const start = [...head, { ...replaceCall, arguments: 'old' }, ...tail(3)]
    const itemsOf = (id: string) => new UnforgetSession(store.session(id)).getItems()
    const wholes = new Set<string>()
    const sound = new UnforgetSession(store.session('sound'))
    await sound.addItems(start)
    wholes.add(JSON.stringify(start))
    await replace(sound)
    wholes.add(JSON.stringify(await sound.getItems()))
    expect(wholes.size).toBe(2)
    const seen = new Set<string>()
    for (const kind of ['fail before', 'fail after'] as const) {
      for (let at = 1; ; at++) {
        const id = `${kind} call ${at}`
        await new UnforgetSession(store.session(id)).addItems(start)
        const ending = faulty(backend, [{ do: kind, at, times: Number.POSITIVE_INFINITY, error: end }])
        const failed = await replace(new UnforgetSession(new MemoryStore(ending).session(id))).then(
          () => false,
          () => true,
        )
        if (!failed) break
        expect(ending.fired.length).toBeGreaterThan(0)
        const left = JSON.stringify(await itemsOf(id))
        expect(wholes, id).toContain(left)
        seen.add(left)
      }
    }
    expect(seen).toEqual(wholes)
  })
})

test.each(cases)('on %s, a replacement whose answer was lost is applied once', async (_name, open) => {
  const { backend, store } = await open()
  await new UnforgetSession(store.session('s')).addItems([...head, ...tail(3)])
  const lost = faulty(backend, [{ do: 'fail after', of: 'commit', at: 1, error: end }])
  const replace = replacements['a suffix'] ?? (() => Promise.reject(new Error('none')))
  await expect(replace(new UnforgetSession(new MemoryStore(lost).session('s')))).rejects.toThrow('the process ended')
  await replace(new UnforgetSession(store.session('s')))
  expect(await store.getHistory('s')).toEqual([...head, ...tail(2)])
})

/** What each replacement leaves if another process adds an item just before it commits. */
const left: Record<string, (items: AgentInputItem[], more: AgentInputItem) => AgentInputItem[] | 'refused'> = {
  'a suffix': () => 'refused',
  'the last item': (items) => items,
  'a function call': (items, more) => [
    ...items.map((item) => (item.type === 'function_call' ? replaceCall : item)),
    more,
  ],
}

describe.each(cases)('on %s, an item that another process adds meanwhile', (_name, open) => {
  test.each(Object.entries(left))('is not lost by a replacement of %s', async (what, expected) => {
    const { backend, store } = await open()
    const start = [...head, { ...replaceCall, arguments: 'old' }, ...tail(3)]
    const more: AgentInputItem = { role: 'user', content: 'meanwhile' }
    const other = new UnforgetSession(store.session('s'))
    await other.addItems(start)
    const meanwhile = () => other.addItems([more])
    const paused = faulty(backend, [{ do: 'pause', of: 'commit', at: 1, meanwhile }])
    const replace = replacements[what] ?? (() => Promise.reject(new Error('none')))
    const refused = await replace(new UnforgetSession(new MemoryStore(paused).session('s'))).then(
      () => false,
      (error: unknown) => error instanceof SuffixConflictError,
    )
    const items = expected(start, more)
    expect(refused).toBe(items === 'refused')
    expect(await other.getItems()).toEqual(items === 'refused' ? [...start, more] : items)
  })

  test('makes another suffix, which is refused after one look at it', async () => {
    const { backend, store } = await open()
    await new UnforgetSession(store.session('s')).addItems([...head, ...tail(3), ...tail(1)])
    const counted = faulty(backend, [])
    const replace = replacements['a suffix'] ?? (() => Promise.reject(new Error('none')))
    const refused = replace(new UnforgetSession(new MemoryStore(counted).session('s')))
    await expect(refused).rejects.toMatchObject({ code: 'VERSION_CONFLICT', session: 's' })
    expect(counted.calls).toBe(2)
  })
})
