import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteBackend } from '../../../src/backends/sqlite/index.ts'
import { MemoryStore } from '../../../src/core/memory-store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]

async function open() {
  const file = join(await temporaryFolder(), 'agent.db')
  const memory = new MemoryStore(await SqliteBackend.open(file, { durability: 'process' }))
  onTestFinished(() => memory.close())
  return { file, memory }
}

/** Each time two turns, of which the second is taken back; every state before that is saved. Resolves to what each snapshot reads. */
async function rollBack(memory: MemoryStore, rounds: number): Promise<Map<string, string[]>> {
  const saved = new Map<string, string[]>()
  const kept: string[] = []
  for (let round = 0; round < rounds; round++) {
    await memory.addMessages('s', turn(`kept ${round}`))
    kept.push(`kept ${round}`)
    await memory.saveSnapshot('s', { id: `${round}` })
    saved.set(`${round}`, [...kept])
    await memory.addMessages('s', turn(`taken back ${round}`))
    await memory.rollbackToSnapshot('s', `${round}`)
  }
  return saved
}

test('sqlite.8: 1,000 rollbacks take bytes in proportion to their number, and every snapshot reads as it was', async () => {
  const sizes: number[] = []
  for (const rounds of [250, 1000]) {
    const { file, memory } = await open()
    const saved = await rollBack(memory, rounds)
    for (const [at, turns] of [...saved].filter((_, index) => index % 83 === 0 || index === rounds - 1)) {
      expect((await memory.getHistory('s', { at })).map(({ content }) => content)).toEqual(turns)
    }
    expect((await memory.getHistory('s')).length).toBe(rounds)
    expect((await memory.verify()).damage).toEqual([])
    await memory.close()
    sizes.push(statSync(file).size)
  }
  const [few = 0, many = 0] = sizes
  expect(many / few).toBeLessThan(4.2)
})

test('loss.6: a path whose base is missing or damaged is lost, and those that do not need it are read', async () => {
  const { file, memory } = await open()
  const saved = await rollBack(memory, 20)
  const raw = new Database(file)
  onTestFinished(() => void raw.close())
  const shortened = raw.prepare("SELECT number FROM epochs WHERE path = '' ORDER BY number").pluck().all() as number[]
  expect(shortened.length).toBeGreaterThan(10)
  const lost = { code: 'MEMORY_LOST', session: 's' }
  const reads = async (at: string) => (await memory.getHistory('s', { at })).map(({ content }) => content)
  const base = raw.prepare('SELECT * FROM epochs WHERE number = 10').get() as Record<string, unknown>
  for (const sql of [
    'UPDATE epochs SET entries = entries - 1 WHERE number = 10',
    'UPDATE epochs SET base = base - 1 WHERE number = 10',
    "UPDATE epochs SET own = '[1,null]' WHERE number = 10",
    "UPDATE epochs SET cause = 'trim' WHERE number = 10",
    'UPDATE epochs SET at = at + 1 WHERE number = 10',
    'DELETE FROM epochs WHERE number = 10',
  ]) {
    raw.exec(sql)
    await expect(reads('15')).rejects.toMatchObject(lost)
    expect(await reads('5')).toEqual(saved.get('5'))
    expect((await memory.getHistory('s')).length).toBe(20)
    expect((await memory.verify()).damage).toMatchObject([{ session: 's' }])
    const names = Object.keys(base)
    raw.prepare(`INSERT OR REPLACE INTO epochs (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(base))
  }
  expect(await reads('15')).toEqual(saved.get('15'))
})
