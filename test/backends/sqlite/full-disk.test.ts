import { statfsSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { smallDisk } from '../../support/small-disk.ts'

const full = {
  code: 'DISK_FULL',
  applied: 'no',
  message: /is full\. Free space on it, or remove memory with deleteSession, deleteAllSessions or sweep/,
}

async function fullDisk({ skip }: TestContext): Promise<string> {
  return (await smallDisk(24_000_000)) ?? skip('a disk that fills up has to be mounted, which takes root on Linux')
}

const turn = (content: string) => [{ role: 'user' as const, content }]

/** Adds turns to twenty sessions, one after the other, until one is refused. Returns how many there are then. */
async function fill(memory: MemoryStore, size: number, before = 0): Promise<number> {
  for (let count = before; ; count++) {
    try {
      await memory.addMessages(`s${count % 20}`, turn(`${count} `.padEnd(size, 'x')))
    } catch (error) {
      expect(error).toMatchObject(full)
      return count
    }
  }
}

async function expectAll(memory: MemoryStore, count: number): Promise<void> {
  for (let session = 0; session < 20; session++) {
    const history = await memory.getHistory(`s${session}`)
    const expected = Array.from({ length: Math.ceil((count - session) / 20) }, (_, turn) => `${turn * 20 + session} `)
    expect(history.map(({ content }) => String(content).slice(0, String(content).indexOf(' ') + 1))).toEqual(expected)
  }
  expect((await memory.verify()).damage).toEqual([])
}

test.for([4000, 20_000, 2_000_000])(
  'sqlite.7: on a disk full of turns of %i bytes all is there, removing works, and writing goes on',
  async (size, context) => {
    const folder = await fullDisk(context)
    const url = `sqlite:${join(folder, 'agent.db')}`
    await using memory = await openMemory(url, { durability: 'process' })
    const count = await fill(memory, size)
    await expectAll(memory, count)
    await expect(memory.addMessages('s0', turn('x'.repeat(5_000_000)))).rejects.toMatchObject(full)
    expect(await memory.deleteSession('s0')).toBe(true)
    await memory.sweep()
    expect(await memory.deleteAllSessions()).toBe(Math.min(count, 20) - 1)
    expect(await memory.stats()).toMatchObject({ sessions: 0 })
    expect(await fill(memory, size)).toBeGreaterThan(count / 2)
  },
)

test('sqlite.7: a disk that others fill up takes nothing from what was acknowledged, and all goes on when there is space again', async (context) => {
  const folder = await fullDisk(context)
  const memory = await openMemory(`sqlite:${join(folder, 'agent.db')}`)
  onTestFinished(() => memory.close())
  for (let turns = 0; turns < 100; turns++) {
    await memory.addMessages(`s${turns % 20}`, turn(`${turns} `.padEnd(20_000, 'x')))
  }
  expect((await stat(join(folder, 'agent.db-wal'))).size).toBeGreaterThan(1_000_000)
  const others = join(folder, 'others')
  const { bavail, bsize } = statfsSync(folder)
  await writeFile(others, Buffer.alloc(bavail * bsize))
  const count = await fill(memory, 20_000, 100)
  for (let round = 0; round < 3; round++) {
    await expect(memory.addMessages('s0', turn('no room'.repeat(10_000)))).rejects.toMatchObject(full)
    await expectAll(memory, count)
    expect(await memory.health()).toMatchObject({ ok: true })
  }
  await rm(others)
  expect(await memory.deleteSession('s0')).toBe(true)
  await memory.addMessages('s0', turn('and on'))
  expect(await memory.getHistory('s0')).toEqual(turn('and on'))
})
