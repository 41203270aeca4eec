import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from 'unforget'
import { inspector } from 'unforget/inspector'
import { expect, onTestFinished, test } from 'vitest'
import type { ErrorView, SessionsView } from '../../src/inspector/wire.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

requireFreshBuild()

/** A store with a healthy session, one whose state is lost, and one whose path is lost. */
async function openDamaged(write: boolean) {
  const file = join(await temporaryFolder(), 'agent.db')
  const memory = await openMemory(`sqlite:${file}`)
  onTestFinished(() => memory.close())
  for (const session of ['fine', 'Lost-State', 'lost-path']) {
    await memory.addMessages(session, [{ role: 'user', content: 'hello' }], { title: 'a lost title' })
    await memory.saveSnapshot(session)
  }
  const raw = new Database(file)
  raw.pragma('foreign_keys = OFF')
  raw.exec("DELETE FROM sessions WHERE id = 'Lost-State'; DELETE FROM epochs WHERE id = 'lost-path'")
  raw.close()
  const answer = inspector(memory, { write })
  const list = async (query: string): Promise<SessionsView> =>
    (await (await answer(new Request(`http://localhost/api/sessions?${query}`))).json()) as SessionsView
  const act = async (action: object) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(action)
    const response = await answer(new Request('http://localhost/api/act', { method: 'POST', headers, body }))
    const { error } = (await response.json()) as { error?: ErrorView }
    return [response.status, error?.code]
  }
  return { memory, list, act }
}

const byName = (one: string, other: string) => one.localeCompare(other)

test('sessions whose state or path is lost are listed as damaged, and found by a part of their id', async () => {
  const { list } = await openDamaged(false)
  const all = await list('')
  expect([all.sessions.map(({ id }) => id), all.damaged.toSorted(byName)]).toEqual([
    ['fine'],
    ['lost-path', 'Lost-State'],
  ])
  expect(all.looked).toBe(3)
  for (const text of ['lost-s', 'Lost-State', 'STATE']) {
    const { sessions, damaged, looked } = await list(`search=${text}`)
    expect([text, sessions, damaged, looked]).toEqual([text, [], ['Lost-State'], 3])
  }
  expect((await list('search=fine')).damaged).toEqual([])
})

test('only a session that is damaged can be deleted without a version, and only with write', async () => {
  const reading = await openDamaged(false)
  expect(await reading.act({ action: 'deleteDamaged', session: 'Lost-State' })).toEqual([403, 'READ_ONLY'])
  expect((await reading.list('')).damaged.toSorted(byName)).toEqual(['lost-path', 'Lost-State'])
  const { memory, list, act } = await openDamaged(true)
  expect(await act({ action: 'deleteDamaged', session: 'fine' })).toEqual([409, 'NOT_DAMAGED'])
  expect(await act({ action: 'deleteDamaged', session: 'nobody' })).toEqual([409, 'NOT_DAMAGED'])
  expect(await act({ action: 'delete', session: 'Lost-State' })).toEqual([400, 'INVALID_ARGUMENT'])
  expect((await list('')).looked).toBe(3)
  expect(await act({ action: 'deleteDamaged', session: 'Lost-State' })).toEqual([200, undefined])
  expect(await act({ action: 'deleteDamaged', session: 'lost-path' })).toEqual([200, undefined])
  expect(await list('')).toMatchObject({ sessions: [{ id: 'fine' }], damaged: [] })
  expect(await memory.verify()).toMatchObject({ ok: true, sessions: 1 })
})
