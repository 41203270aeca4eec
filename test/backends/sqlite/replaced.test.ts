import { once } from 'node:events'
import { copyFile, link, readFile, rename, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemoryStore, openMemory } from 'unforget'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turn = (content: string) => [{ role: 'user' as const, content }]
const appender = new URL('./children/append.ts', import.meta.url)
const exiting = new URL('./children/exit-when-told.ts', import.meta.url)

/** A closed memory that holds one turn. */
async function memoryOf(file: string, content: string): Promise<string> {
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn(content))
  return file
}

const calls: Record<string, (memory: MemoryStore) => Promise<unknown>> = {
  getHistory: (memory) => memory.getHistory('s'),
  getEntries: (memory) => memory.getEntries('s'),
  sessionInfo: (memory) => memory.sessionInfo('s'),
  listSessions: (memory) => memory.listSessions(),
  listSnapshots: (memory) => memory.listSnapshots('s'),
  recall: (memory) => memory.recall('s', [1]),
  exportSession: (memory) => memory.exportSession('s'),
  health: (memory) => memory.health(),
  verify: (memory) => memory.verify(),
  stats: (memory) => memory.stats(),
  addMessages: (memory) => memory.addMessages('s', turn('into nowhere')),
  saveSnapshot: (memory) => memory.saveSnapshot('s'),
  deleteSession: (memory) => memory.deleteSession('s'),
  sweep: (memory) => memory.sweep(),
}

async function expectRefused(memory: MemoryStore): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const [name, call] of Object.entries(calls)) {
      await expect(call(memory), `${name}, round ${round}`).rejects.toMatchObject({
        code: 'BACKEND_FAILED',
        applied: 'no',
        message: /while it was open.*opened again/,
      })
    }
  }
}

const ways: Record<string, (file: string, other: string) => Promise<void>> = {
  'renamed away': (file) => rename(file, `${file}.away`),
  removed: (file) => rm(file),
  'replaced by another': (file, other) => rename(other, file),
  'removed and made anew': async (file, other) => {
    await rm(file)
    await copyFile(other, file)
  },
  'replaced together with its log': async (file, other) => {
    for (const part of [`${file}-wal`, `${file}-shm`]) await rm(part)
    await rename(other, file)
  },
  'copied over': (file, other) => copyFile(other, file),
  emptied: (file) => truncate(file),
  'separated from its log': (file) => rm(`${file}-wal`),
}

test.each(Object.keys(ways))(
  'sqlite.6: from a file that was %s while it was open nothing is read, and nothing goes into another',
  async (way) => {
    const folder = await temporaryFolder()
    const other = await memoryOf(join(folder, 'other.db'), 'other')
    const file = await memoryOf(join(folder, 'agent.db'), 'kept')
    const memory = await openMemory(`sqlite:${file}`)
    onTestFinished(() => memory.close())
    await memory.addMessages('s', turn('acknowledged'))
    await copyFile(other, `${other}.before`)
    await ways[way]?.(file, other)
    await expectRefused(memory)
    await memory.close()
    if (!/another|anew|together|over/.test(way)) return
    expect((await readFile(file)).equals(await readFile(`${other}.before`))).toBe(true)
    await rm(`${file}-wal`, { force: true })
    await using again = await openMemory(`sqlite:${file}`)
    expect(await again.getHistory('s')).toEqual(turn('other'))
    await again.addMessages('s', turn('and on'))
  },
)

test('sqlite.6: a reader notices as well, and so does one that has not been used since', async () => {
  const folder = await temporaryFolder()
  const other = await memoryOf(join(folder, 'other.db'), 'other')
  const file = await memoryOf(join(folder, 'agent.db'), 'kept')
  await using reader = await openMemory(`sqlite:${file}`, { readOnly: true })
  await rename(other, file)
  for (let round = 0; round < 3; round++) {
    await expect(reader.getHistory('s')).rejects.toMatchObject({ code: 'BACKEND_FAILED', message: /replaced/ })
    await expect(reader.health()).rejects.toMatchObject({ code: 'BACKEND_FAILED', message: /replaced/ })
  }
})

test('sqlite.6: a link that leads elsewhere is a replaced file, another name for the same file is not', async () => {
  const folder = await temporaryFolder()
  const one = await memoryOf(join(folder, 'one.db'), 'one')
  const two = await memoryOf(join(folder, 'two.db'), 'two')
  const name = join(folder, 'agent.db')
  await symlink(one, name)
  await using memory = await openMemory(`sqlite:${name}`)
  await memory.addMessages('s', turn('acknowledged'))
  await link(one, join(folder, 'hard.db'))
  expect((await memory.getHistory('s')).length).toBe(2)
  await symlink(two, `${name}.next`)
  await rename(`${name}.next`, name)
  await expectRefused(memory)
})

test('sqlite.6: a file that was moved away and back, with nobody there meanwhile, goes on', async () => {
  const file = await memoryOf(join(await temporaryFolder(), 'agent.db'), 'kept')
  await using memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn('one'))
  await rename(file, `${file}.away`)
  await rename(`${file}.away`, file)
  await memory.addMessages('s', turn('two'))
  expect((await memory.getHistory('s')).length).toBe(3)
})

test('sqlite.6: once noticed, it stays so, also when the file comes back', async () => {
  const file = await memoryOf(join(await temporaryFolder(), 'agent.db'), 'kept')
  const memory = await openMemory(`sqlite:${file}`)
  await memory.addMessages('s', turn('acknowledged'))
  await rename(file, `${file}.away`)
  await expectRefused(memory)
  await rename(`${file}.away`, file)
  await expectRefused(memory)
  await memory.close()
  await using again = await openMemory(`sqlite:${file}`)
  expect(await again.getHistory('s')).toEqual([...turn('kept'), ...turn('acknowledged')])
})

test('sqlite.6: checkpoints of other processes are not taken for a replaced file', async () => {
  const file = await memoryOf(join(await temporaryFolder(), 'agent.db'), 'kept')
  await using memory = await openMemory(`sqlite:${file}`)
  await using rival = await openMemory(`sqlite:${file}`)
  for (let round = 0; round < 30; round++) {
    await rival.addMessages('t', turn(`${round} ${'x'.repeat(300_000)}`))
    if (round % 10 === 0) await rival.deleteSession('t')
    await memory.addMessages('s', turn(`${round}`))
    expect((await memory.getHistory('s')).length).toBe(round + 2)
  }
})

/** Replaces an open file so that a writer opens the new one, then ends the old one in one of several ways. */
async function endBeside(leaveEmptyLog: boolean, end: (file: string, replace: () => Promise<void>) => Promise<void>) {
  const folder = await temporaryFolder()
  const file = await memoryOf(join(folder, 'agent.db'), 'kept')
  const other = await memoryOf(join(folder, 'other.db'), 'other')
  const acknowledged: number[] = []
  let writer: ReturnType<typeof startChild> | undefined
  onTestFinished(() => void writer?.kill('SIGKILL'))
  await end(file, async () => {
    if (leaveEmptyLog) await truncate(`${file}-wal`)
    else for (const part of [`${file}-wal`, `${file}-shm`]) await rm(part)
    await rename(file, `${file}.away`)
    await rename(other, file)
    writer = startChild(appender, { url: `sqlite:${file}`, writer: 'on the new file', count: 100_000 })
    writer.on('message', ({ seqs }: { seqs: number[] }) => acknowledged.push(...seqs))
    await once(writer, 'message')
  })
  const { length } = acknowledged
  while (acknowledged.length < length + 6) await once(writer as NonNullable<typeof writer>, 'message')
  const ended = once(writer as NonNullable<typeof writer>, 'close')
  writer?.kill('SIGKILL')
  await ended
  await using memory = await openMemory(`sqlite:${file}`)
  const history = await memory.getHistory('shared')
  expect(acknowledged.filter((seq) => !history.seqs.includes(seq))).toEqual([])
  expect((await memory.verify()).damage).toEqual([])
  expect(await memory.getHistory('s')).toEqual(turn('other'))
}

test.each([
  ['noticed and closed', true],
  ['closed before it was noticed', false],
])('sqlite.6: a replaced file that is %s takes nothing from the writers of the new one', async (_how, notice) => {
  await endBeside(false, async (file, replace) => {
    const memory = await openMemory(`sqlite:${file}`)
    await memory.addMessages('s', turn('acknowledged'))
    await replace()
    if (notice) await expectRefused(memory)
    await memory.close()
  })
})

test('sqlite.6: a process that ends without closing a replaced file takes nothing from the writers of the new one', async () => {
  await endBeside(false, async (file, replace) => {
    const child = startChild(exiting, { url: `sqlite:${file}` })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'message')
    await replace()
    const ended = once(child, 'close')
    child.send('end')
    await ended
  })
})

test('sqlite.6: writers of the new file that found the empty log of the old one keep it', async () => {
  await endBeside(true, async (file, replace) => {
    const memory = await openMemory(`sqlite:${file}`)
    await memory.getHistory('s')
    await replace()
    await expectRefused(memory)
    await memory.close()
  })
})

test('sqlite.6: a connection given up after an I/O error is not made again on another file', async () => {
  const { Connection } = await import('../../../src/backends/sqlite/connection.ts')
  const folder = await temporaryFolder()
  const other = await memoryOf(join(folder, 'other.db'), 'other')
  const file = await memoryOf(join(folder, 'agent.db'), 'kept')
  const connection = await Connection.open(file, {}, performance.now() + 5000)
  onTestFinished(() => connection.close())
  connection.discard()
  connection.ensureOpen()
  expect(connection.column('SELECT count(*) FROM sessions')).toEqual([1])
  connection.discard()
  await rename(other, file)
  for (let round = 0; round < 3; round++) expect(() => connection.ensureOpen()).toThrow(/replaced while it was open/)
})
