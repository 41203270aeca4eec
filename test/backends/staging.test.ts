import pg from 'pg'
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Backend, StagedEntry } from '../../src/core/backend.ts'
import { encodeEntry } from '../../src/core/encode-entry.ts'
import { CopyLostError } from '../../src/core/errors.ts'
import { everyBackend } from './every-backend.ts'

const { cases, redis, postgres } = await everyBackend()
const soon = () => performance.now() + 60_000
const said = (content: string) => ({ role: 'user' as const, content })
const hour = 60 * 60 * 1000

function staged(seq: number): StagedEntry {
  const encoded =
    seq % 5 === 0
      ? encodeEntry('summary', { text: `${seq}`, embedding: Float32Array.of(seq, 1) }, 'summary')
      : encodeEntry('message', said(`${seq}`), 'message')
  return { ...encoded, seq, at: null }
}

const slice = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => staged(from + index))

function publish(backend: Backend, session: string, copy: string, count: number) {
  const operation = { id: `publish ${copy} ${count}`, digest: '' }
  return backend.commit(session, { operation, ifVersion: null, staged: { copy, count } }, soon())
}

/** Makes what is staged an hour older than it is. */
const grow = {
  async redis(place: string) {
    const client = await createClient({ url: redis.url }).connect()
    for (const key of await client.keys(`${place}:{*`)) {
      expect(await client.pTTL(key)).toBeGreaterThan(hour - 60_000)
      await client.pExpire(key, (await client.pTTL(key)) - hour)
    }
    client.destroy()
  },
  async postgres(place: string) {
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(`UPDATE ${place}.staged SET written_at = written_at - ${hour}`)
    await client.end()
  },
}

async function oneHourLater(name: string, place: string): Promise<void> {
  if (name === 'redis' || name === 'postgres') return grow[name](place)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

describe.each(cases)('%s', (name, open) => {
  test('a copy is staged in slices that may come twice, and published once by one commit', async () => {
    const { backend, store } = await open()
    await store.addMessages('other', [said('here before')])
    const write = (entries: StagedEntry[]) => backend.stage('s', 'one', entries, soon())
    await write(slice(1, 4))
    await write(slice(1, 4))
    await write(slice(5, 9))
    await write(slice(1, 4))
    await write(slice(8, 12))
    expect(await store.sessionInfo('s')).toBe(null)
    expect((await store.listSessions()).sessions.map(({ id }) => id)).toEqual(['other'])
    expect(await store.verify()).toMatchObject({ ok: true, sessions: 1 })
    expect(await store.sweep()).toEqual({ entries: 0, damaged: [] })
    expect(await store.stats()).toMatchObject({ sessions: 1, sweepable: { entries: 0, bytes: 0 } })

    const first = await publish(backend, 's', 'one', 12)
    expect(first).toMatchObject({ first: 1, count: 12 })
    expect(await publish(backend, 's', 'one', 12)).toEqual(first)
    const entries = await store.getEntries('s')
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(entries.every(({ at }) => at > 0 && at <= first.at)).toBe(true)
    expect((await store.recall('s', [1, 0])).map(({ seq }) => seq)).toEqual([10, 5])
    expect((await store.addMessages('s', [said('on')])).seqs).toEqual([13])
    expect(await store.verify()).toMatchObject({ ok: true, sessions: 2 })
    expect(await backend.unstage('s', 'one', soon())).toBe(false)
    expect((await store.getEntries('s')).length).toBe(13)
  })

  test('a copy of which not all is staged is refused, and so is one into a session that exists', async () => {
    const { backend, store } = await open()
    await backend.stage('s', 'short', slice(1, 3), soon())
    for (const count of [2, 4]) {
      await expect(publish(backend, 's', 'short', count)).rejects.toMatchObject({
        code: 'COPY_LOST',
        expected: count,
        actual: 3,
      })
    }
    await expect(publish(backend, 's', 'unknown', 3)).rejects.toBeInstanceOf(CopyLostError)
    expect(await store.sessionInfo('s')).toBe(null)
    const { version } = await store.addMessages('s', [said('mine')])
    await expect(publish(backend, 's', 'short', 3)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
    expect((await store.getHistory('s')).version).toBe(version)
    expect(await store.verify()).toMatchObject({ ok: true })
  })

  test('a copy that is given up is gone, and one that nobody goes on with an hour after its last slice', async () => {
    const { backend, store, place } = await open()
    await backend.stage('s', 'given up', slice(1, 10), soon())
    expect(await backend.unstage('s', 'given up', soon())).toBe(true)
    expect(await backend.unstage('s', 'given up', soon())).toBe(false)
    await expect(publish(backend, 's', 'given up', 10)).rejects.toBeInstanceOf(CopyLostError)
    await store.sweep()

    await backend.stage('s', 'left', slice(1, 10), soon())
    expect(await store.sweep()).toEqual({ entries: 0, damaged: [] })
    await oneHourLater(name, place)
    const left = name === 'redis' ? 0 : 10
    expect((await store.stats()).sweepable.entries).toBe(left)
    expect(await store.sweep()).toEqual({ entries: left, damaged: [] })
    expect((await store.stats()).sweepable).toEqual({ entries: 0, bytes: 0 })
    await expect(publish(backend, 's', 'left', 10)).rejects.toBeInstanceOf(CopyLostError)
    await store.addMessages('s', [said('begun')])
    expect(await store.verify()).toMatchObject({ ok: true, sessions: 1, entries: 1 })
  })
})
