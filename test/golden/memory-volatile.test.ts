import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import { memoryVolatile } from '../../src/golden/memory-volatile.ts'
import { openSnapshotDb } from '../../src/golden/snapshot-db.ts'
import { type MemoryStore, openMemory } from '../../src/index.ts'
import { runExample } from '../support/run-example.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

afterAll(stopFreezer)
beforeEach(() => {
  for (const name of ['CI', 'SNAPSHOT_UPDATE']) vi.stubEnv(name, '')
  return () => vi.unstubAllEnvs()
})

/** Every kind of write, named and unnamed, to sessions with ids of both kinds. */
async function useEverything(memory: MemoryStore, idOf: (name: string) => string): Promise<void> {
  const [session, owner] = [idOf('user-42'), idOf('shop')]
  for (const named of [false, true]) {
    const operation = () => (named ? { operationId: randomUUID() } : {})
    const [copy, gone] = [idOf(`copy ${named}`), idOf(`gone ${named}`)]
    const message = (content: string) => ({ role: 'user' as const, content })
    await memory.addMessages(session, [message('one'), message('one')], { ...operation(), owner, title: 'a title' })
    const saved = await memory.saveSnapshot(session, { label: 'saved', ...operation() })
    await memory.recordToolCall(session, { id: 'c', name: 'n', arguments: { a: 1 }, result: 1 }, operation())
    await memory.addSummary(session, { text: 'x', embedding: [1, 2] }, operation())
    await memory.addEntries(session, [{ kind: 'record', record: { type: 'r' } }], operation())
    await memory.rollbackToSnapshot(session, saved.id, operation())
    const { seqs } = await memory.getHistory(session)
    await memory.rewind(session, { before: seqs.at(-1) ?? 0, add: [message('two')], snapshot: true, ...operation() })
    await memory.compact(session, { keep: 0, summarize: async () => 'a summary', ...operation() })
    await memory.addMessages(session, [message('three'), message('four')], operation())
    await memory.trim(session, { maxEntries: 1, ...operation() })
    await memory.describe(session, { metadata: { color: 'red' }, ...operation() })
    await memory.expire(session, { ttl: 1_000_000, ...operation() })
    await memory.fork(session, copy, operation())
    await memory.withTurn(copy, (turn) => turn.addMessages([message('five')], operation()))
    await memory.clear(copy, operation())
    await memory.deleteSnapshot(session, saved.id, operation())
    await memory.addMessages(gone, [message('six')], operation())
    await memory.deleteSession(gone)
  }
}

const testFile = async () => join(await temporaryFolder(), 'agent.test.ts')

async function run(file: string, use: (memory: MemoryStore) => Promise<unknown>) {
  const config = { testFile: file, testName: 'remembers', testId: '1', mode: 'new', volatile: memoryVolatile } as const
  const db = await openSnapshotDb(config)
  const memory = await openMemory(`sqlite:${db.path}`)
  await use(memory)
  await memory.close()
  return db.finish({ passed: true })
}

test.each([
  ['names', (name: string) => name],
  ['random ids', () => randomUUID()],
])('a test of everything that a memory can do is green on its second run: sessions with %s', async (_name, idOf) => {
  const file = await testFile()
  const once = () => run(file, (memory) => useEverything(memory, idOf))
  expect(await once()).toMatchObject({ counts: { added: 1 }, error: null })
  for (let again = 0; again < 3; again++) {
    const { error, counts } = await once()
    expect(error?.message).toBeUndefined()
    expect(counts.matched).toBe(1)
  }
})

test('a lost turn, a changed one, a lost snapshot and another owner are still seen', async () => {
  const file = await testFile()
  const use = (content: string, labels: string[], owner: string) => async (memory: MemoryStore) => {
    await memory.addMessages('user-42', [{ role: 'user', content }], { owner })
    for (const label of labels) await memory.saveSnapshot('user-42', { label })
  }
  await run(file, use('My name is Wang', ['a', 'b'], 'shop'))
  const wrong = [
    use('My name is Li', ['a', 'b'], 'shop'),
    use('My name is Wang', ['a'], 'shop'),
    use('My name is Wang', ['a', 'b'], 'other'),
  ]
  for (const one of wrong) expect((await run(file, one)).error).toMatchObject({ code: 'MISMATCH' })
  expect((await run(file, use('My name is Wang', ['a', 'b'], 'shop'))).error).toBeNull()
})

test('every table that it names is one of ours', async () => {
  const path = join(await temporaryFolder(), 'agent.db')
  await (await openMemory(`sqlite:${path}`)).close()
  const database = new Database(path)
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  database.close()
  const named = new Set(Object.keys(memoryVolatile).map((column) => column.split('.')[0]))
  expect([...named].filter((name) => !tables.includes(name))).toEqual([])
})

test('the example, a golden test of an agent on unforget, is green against its committed golden', async () => {
  const { code, output } = await runExample('golden-agent')
  expect(output).toContain('✓ test/agent.test.ts (1 test)')
  expect(code).toBe(0)
})
