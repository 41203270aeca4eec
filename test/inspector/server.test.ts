import { openMemory } from 'unforget'
import { type InspectorOptions, inspector } from 'unforget/inspector'
import { expect, onTestFinished, test } from 'vitest'
import type {
  EntriesView,
  ErrorView,
  SessionsView,
  SessionView,
  StoreView,
  TextView,
} from '../../src/inspector/wire.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { tellStory } from './support/story.ts'

requireFreshBuild()

const host = '127.0.0.1:4711'
const token = 'secret'
const page = { 'sec-fetch-site': 'same-origin', authorization: `Bearer ${token}` }

async function open(options: InspectorOptions = { token, hosts: [host] }) {
  const memory = await openMemory('memory:')
  onTestFinished(() => memory.close())
  await tellStory(memory)
  const answer = inspector(memory, options)
  const request = (path: string, headers: Record<string, string> = page, init: RequestInit = {}) =>
    answer(new Request(`http://${host}${path}`, { ...init, headers: { host, ...headers } }))
  const get = async <View>(path: string): Promise<View> => (await (await request(path)).json()) as View
  const act = (action: object, headers: Record<string, string> = {}) =>
    request(
      '/api/act',
      { ...page, origin: `http://${host}`, 'content-type': 'application/json', ...headers },
      { method: 'POST', body: JSON.stringify(action) },
    )
  return { memory, request, get, act }
}

const refusalOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: ErrorView }
  return [response.status, error.code]
}

test('the page comes with a strict policy, and nothing in it is inline or from another host', async () => {
  const { request } = await open()
  const document = await request(`/?token=${token}`, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })
  expect(document.status).toBe(200)
  expect(Object.fromEntries(document.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  const policy = document.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
  const html = await document.text()
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBe(3)
  for (const link of links) {
    expect(link).toMatch(/^\.\/[\w-]+\.\w+$/)
    expect((await request(`/${link.slice(2)}`, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  }
  expect(html).not.toMatch(/<style|style="|<script(?![^>]* src=)/)
})

test.each([
  ['no token', {}, [401, 'WRONG_TOKEN']],
  ['a wrong token', { authorization: 'Bearer secreT' }, [401, 'WRONG_TOKEN']],
  ['a wrong Host', { ...page, host: 'evil.example:4711' }, [403, 'WRONG_HOST']],
  ['the right Host at another port', { ...page, host: '127.0.0.1:80' }, [403, 'WRONG_HOST']],
  ['a foreign Origin', { ...page, origin: 'https://evil.example' }, [403, 'WRONG_ORIGIN']],
  ['an opaque Origin', { ...page, origin: 'null' }, [403, 'WRONG_ORIGIN']],
  ['another site', { ...page, 'sec-fetch-site': 'cross-site' }, [403, 'WRONG_ORIGIN']],
  ['another port of this machine', { ...page, 'sec-fetch-site': 'same-site' }, [403, 'WRONG_ORIGIN']],
] as const)('%s is refused, and nothing is told', async (_, headers, expected) => {
  const { request } = await open()
  expect(await refusalOf(await request('/api/sessions', headers))).toEqual(expected)
})

test('the page itself needs the token, and an address that is wrong says so as text', async () => {
  const { request } = await open()
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const refused = await request('/?token=wrong', visit)
  expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'text/plain; charset=utf-8'])
  expect(await refused.text()).toContain('use the address that unforget inspect printed')
  expect((await request(`/?token=${token}`, visit)).status).toBe(200)
})

test('without hosts, a foreign Origin is told from its own by the Host', async () => {
  const { request } = await open({})
  expect((await request('/api/store', { origin: `http://${host}` })).status).toBe(200)
  expect((await request('/api/store', { origin: 'http://127.0.0.1:9999' })).status).toBe(403)
})

test('nothing but what the build wrote is served', async () => {
  const { request } = await open()
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/index.js',
    '/api',
    '/api/constructor',
    '/__proto__',
  ])
    expect((await request(path)).status, path).toBe(404)
  expect((await request('/api/store', page, { method: 'POST' })).status).toBe(405)
  expect((await request('/api/act')).status).toBe(405)
})

test('it can be mounted at a path', async () => {
  const { request } = await open({ base: '/admin/memory' })
  const moved = await request('/admin/memory', {})
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/admin/memory/'])
  expect((await request('/admin/memory/', {})).status).toBe(200)
  expect((await request('/admin/memory/api/store', {})).status).toBe(200)
  expect((await request('/api/store', {})).status).toBe(404)
  await using memory = await openMemory('memory:')
  expect(() => inspector(memory, { base: 'admin' })).toThrow(TypeError)
  expect(() => inspector(memory, { token: '' })).toThrow(TypeError)
})

test('sessions are listed by owner, page by page, and found by id and title', async () => {
  const { memory, get } = await open()
  for (let index = 0; index < 120; index++)
    await memory.addMessages(`s-${index}`, [{ content: 'x' }], { owner: 'ann', title: `Invoice ${index}` })
  const first = await get<SessionsView>('/api/sessions?owner=ann&limit=50')
  const second = await get<SessionsView>(
    `/api/sessions?owner=ann&limit=50&cursor=${encodeURIComponent(first.cursor ?? '')}`,
  )
  const shown = [...first.sessions, ...second.sessions]
  expect(new Set(shown.map(({ id }) => id)).size).toBe(100)
  const times = shown.map(({ updatedAt }) => updatedAt)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const found = await get<SessionsView>('/api/sessions?search=invoice%20117')
  expect(found.sessions.map(({ id }) => id)).toEqual(['s-117'])
  expect((await get<SessionsView>('/api/sessions?search=USER-4')).sessions.map(({ id }) => id)).toEqual(['user-42'])
  expect((await get<SessionsView>('/api/sessions?search=nobody')).sessions).toEqual([])
})

test('a session, its entries both ways, around a seq, and at a snapshot', async () => {
  const { get, request } = await open()
  const { info, paths } = await get<SessionView>('/api/session?session=user-42')
  expect([info.entries, info.owner, paths.end, paths.snapshots.length]).toEqual([19, 'bookshop', 19, 2])
  const seqs = async (query: string) =>
    (await get<EntriesView>(`/api/entries?session=user-42&${query}`)).entries.map(({ seq }) => seq)
  expect(await seqs('last=3')).toEqual([17, 18, 19])
  expect(await seqs('last=2&before=17')).toEqual([15, 16])
  expect(await seqs('first=2&after=3')).toEqual([4, 5])
  expect(await seqs('around=5&count=2')).toEqual([3, 4, 5, 6, 7])
  expect(await seqs('around=1&count=2')).toEqual([1, 2, 3])
  expect(await seqs('at=served&last=2')).toEqual([6, 7])
  expect(await refusalOf(await request('/api/entries?session=user-42&around=99'))).toEqual([404, 'SEQ_NOT_FOUND'])
  expect(await refusalOf(await request('/api/entries?session=user-42&last=x'))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(await refusalOf(await request('/api/session?session=nobody'))).toEqual([404, 'SESSION_NOT_FOUND'])
  expect((await get<StoreView>('/api/store')).health.backend).toBe('memory')
})

test('a line of 5 MB comes in pieces, and none of them ends within a character', async () => {
  const { memory, get } = await open()
  const line = '🐟'.repeat(1_300_000)
  await memory.addMessages('long', [{ role: 'user', content: line }])
  const { entries } = await get<EntriesView>('/api/entries?session=long&last=5')
  const [part] = entries[0]?.parts ?? []
  expect([part?.text.length, part?.length]).toEqual([2000, line.length])
  const next = await get<TextView>(`/api/text?session=long&seq=1&part=0&from=2000`)
  expect([next.text.isWellFormed(), next.text.length, next.length]).toEqual([true, 65_536, line.length])
  expect((await get<TextView>('/api/text?session=user-42&seq=6&part=0&from=3')).text).toMatch(/^is on its way, Wang/)
  const raw = await get<TextView>('/api/text?session=long&seq=1')
  expect(raw.text).toMatch(/^\{\n {2}"kind": "message",/)
})

test('without write, nothing can be changed', async () => {
  const { memory, act } = await open()
  const before = await memory.sessionInfo('user-42')
  const action = { action: 'delete', session: 'user-42', ifVersion: before?.version }
  expect(await refusalOf(await act(action))).toEqual([403, 'READ_ONLY'])
  expect(await memory.sessionInfo('user-42')).toEqual(before)
})

test('every action applies to exactly the version it was shown, or changes nothing', async () => {
  const { memory, act } = await open({ write: true, token, hosts: [host] })
  const session = 'user-42'
  const versionOf = async () => (await memory.sessionInfo(session))?.version
  const actions = [
    { action: 'snapshot', label: 'found' },
    { action: 'rollback', snapshot: 'served' },
    { action: 'rewind', to: 6, label: 'before' },
    { action: 'fork', target: 'copy', at: null, to: 2 },
    { action: 'describe', owner: 'ann', title: null, metadata: { a: 1 } },
    { action: 'expire', when: { ttl: 1e9 } },
    { action: 'delete' },
  ]
  for (const action of actions) {
    const stale = await act({ ...action, session, ifVersion: 'old.1.version' })
    expect(await refusalOf(stale), action.action).toEqual([409, 'VERSION_CONFLICT'])
    const done = await act({ ...action, session, ifVersion: await versionOf() })
    expect([action.action, done.status]).toEqual([action.action, 200])
    if (action.action === 'rewind') expect((await memory.getEntries(session)).at(-1)?.seq).toBe(6)
    if (action.action === 'describe')
      expect(await memory.sessionInfo(session)).toMatchObject({ owner: 'ann', title: null, metadata: { a: 1 } })
  }
  expect(await memory.sessionInfo(session)).toBe(null)
  expect((await memory.getEntries('copy')).length).toBe(2)
  expect(await refusalOf(await act({ action: 'wipe', session, ifVersion: 'x' }))).toEqual([400, 'INVALID_ARGUMENT'])
  expect(await refusalOf(await act({ action: 'delete', session: 'copy' }))).toEqual([400, 'INVALID_ARGUMENT'])
  const form = { 'content-type': 'text/plain' }
  expect(await refusalOf(await act({ action: 'delete', session: 'copy' }, form))).toEqual([415, 'WRONG_TYPE'])
  expect((await act({ action: 'snapshot', label: 'x'.repeat(300_000), session: 'copy', ifVersion: 'x' })).status).toBe(
    413,
  )
  expect(await memory.sessionInfo('copy')).not.toBe(null)
})

test('verify answers with lines, and ends when nobody listens', async () => {
  const { memory, request } = await open()
  const lines = (await (await request('/api/verify')).text()).trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ verified: { ok: true, sessions: 1, entries: 19 } })
  for (let session = 0; session < 50; session++) await memory.addMessages(`s-${session}`, [{ content: 'x' }])
  const { body } = await request('/api/verify')
  await body?.cancel()
})
