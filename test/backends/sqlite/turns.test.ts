import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
import type { Change } from '../../../src/core/backend.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const soon = () => performance.now() + 10_000
const lease = (token: string, milliseconds = 600_000) => ({ token, milliseconds })
const change = (id: string, ifTurn: string): Change => ({ operation: { id, digest: 'digest of it' }, ifTurn })
const turnLost = { code: 'TURN_LOST' }

/** Two connections to one file, as two processes have them, and a look into it. */
async function open() {
  const file = join(await temporaryFolder(), 'agent.db')
  const one = await SqliteBackend.open(file)
  const other = await SqliteBackend.open(file)
  const raw = new Database(file, { readonly: true })
  onTestFinished(async () => {
    raw.close()
    await Promise.all([one.close(), other.close()])
  })
  return { one, other, rows: () => raw.prepare('SELECT count(*) FROM turns').pluck().get() }
}

test('a turn is held against others until it is given up', async () => {
  const { one, other, rows } = await open()
  expect(await one.takeTurn('s', lease('a'), soon())).toBe(null)
  expect(await one.takeTurn('s', lease('a'), soon())).toBe(null)
  const left = await other.takeTurn('s', lease('b'), soon())
  expect(left).toBeGreaterThan(500_000)
  expect(left).toBeLessThanOrEqual(600_000)
  expect(await other.takeTurn('t', lease('b'), soon())).toBe(null)
  expect(await other.renewTurn('s', lease('b'), soon())).toBe(false)
  await other.endTurn('s', 'b', soon())
  await expect(other.commit('s', change('1', 'b'), soon())).rejects.toMatchObject(turnLost)
  const committed = await one.commit('s', change('2', 'a'), soon())
  await one.endTurn('s', 'a', soon())
  expect(await other.takeTurn('s', lease('b'), soon())).toBe(null)
  await expect(one.commit('s', change('3', 'a'), soon())).rejects.toMatchObject(turnLost)
  expect(await one.commit('s', change('2', 'a'), soon())).toEqual(committed)
  await other.endTurn('s', 'b', soon())
  expect(rows()).toBe(1)
})

test('a lease that has ended is lost, taken over or not, and reclaimed', async () => {
  const { one, other, rows } = await open()
  await one.takeTurn('s', lease('a', 0), soon())
  expect(await one.renewTurn('s', lease('a'), soon())).toBe(false)
  await expect(one.commit('s', change('1', 'a'), soon())).rejects.toMatchObject(turnLost)
  await expect(one.erase('s', { operation: 'x', ifTurn: 'a' }, soon())).rejects.toMatchObject(turnLost)
  expect((await other.read('s', {}, soon())).state).toBe(null)
  expect(rows()).toBe(1)
  expect(await other.reclaim('erased', soon())).toEqual({ entries: 0, done: true })
  expect(rows()).toBe(0)
})

test('a turn survives the session, and is no damage', async () => {
  const { one, other } = await open()
  await one.takeTurn('s', lease('a'), soon())
  await one.commit('s', change('1', 'a'), soon())
  expect(await one.erase('s', { operation: 'x', ifTurn: 'a' }, soon())).toBe(true)
  expect(await other.takeTurn('s', lease('b'), soon())).toBeGreaterThan(0)
  expect((await one.sessions(null, 10, soon())).sessions).toEqual([])
  for (let found = await one.damage(soon()); ; found = await one.damage(soon())) {
    expect(found.damage).toEqual([])
    if (found.done) break
  }
})
