import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MemoryStoreError, type SessionPage } from 'unforget'
import { SqliteBackend } from '../../../../src/backends/sqlite/index.ts'
import type { ListedPage, SessionAbout } from '../../../../src/core/backend.ts'
import { MemoryStore } from '../../../../src/core/memory-store.ts'

/** A bit of a file, and what became of a read of it. */
export interface Wrong {
  readonly bit: number
  readonly read: string
  readonly got: string
}

export interface Flipped {
  /** How many flips changed nothing that was read, and how many were refused somewhere. */
  readonly unnoticed: number
  readonly refused: number
  readonly wrong: readonly Wrong[]
}

const soon = () => performance.now() + 30_000

/** Everything that means that the file cannot be trusted. */
const damageCodes = ['MEMORY_LOST', 'BACKEND_FAILED', 'CANNOT_OPEN', 'NOT_A_MEMORY', 'SCHEMA_TOO_NEW', 'READ_ONLY']

const named = (text: string) => [{ role: 'user' as const, content: `said once: ${text}` }]
const many = (count: number, what: string) =>
  Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `${what} ${index}` }))

/** Writes a file with all that a memory can hold, and closes it. */
export async function writeRichFile(file: string): Promise<void> {
  const { memory, backend } = await open(file)
  const describe = (id: string, about: Partial<SessionAbout>) =>
    backend.commit(id, { operation: { id: `describe ${id}`, digest: '' }, describe: about }, soon())
  await memory.addMessages('user-1', [{ role: 'system', content: 'be kind' }, ...many(8, 'turn')])
  await memory.addMessages('user-1', named('user-1'), { operationId: 'named' })
  await memory.recordToolCall('user-1', { id: 'c', name: 'look', result: { bytes: new Uint8Array(300).fill(7) } })
  await memory.addSummary('user-1', { text: 'sum', embedding: Float32Array.from({ length: 40 }, (_, i) => i / 7) })
  await memory.saveSnapshot('user-1', { id: 'first', label: 'before', operationId: 'saving' })
  await memory.addMessages('user-1', many(5, 'left'))
  await memory.rollbackToSnapshot('user-1', 'first', { operationId: 'back' })
  await memory.addMessages('user-1', [{ role: 'user', content: 'long '.repeat(4000) }])
  await memory.compact('user-1', { keep: 3, summarize: () => ({ text: 'compacted', embedding: [1, 2, 3] }) })
  await memory.saveSnapshot('user-1', { id: 'second' })
  await memory.addMessages('user-1', many(4, 'after'))
  await memory.rewind('user-1', { to: (await memory.getHistory('user-1')).seqs.at(-2) ?? 0 })
  for (let turn = 0; turn < 60; turn++) {
    await memory.addMessages('user-2', named(`${turn}`), { operationId: `turn ${turn}` })
  }
  await memory.addMessages('user-2', many(100, 'a turn of the second user'))
  await memory.trim('user-2', { maxEntries: 80 })
  for (const id of ['a', 'b', 'c', 'd']) await memory.saveSnapshot('user-2', { id, label: `snapshot ${id}` })
  await memory.deleteSnapshot('user-2', 'b')
  await memory.expire('user-2', { ttl: 1_000_000_000 })
  await memory.addMessages('gone', named('gone'), { operationId: 'named' })
  await memory.deleteSession('gone')
  await memory.addMessages('over', named('over'), { operationId: 'named' })
  await memory.saveSnapshot('over', { id: 'first' })
  await memory.expire('over', { at: Date.now() - 1 })
  for (let other = 0; other < 40; other++) await memory.addMessages(`other user number ${other}`, many(2, 'hello'))
  for (let round = 0; round < 12; round++) {
    await memory.addMessages('branches', named(`${round}`))
    await memory.saveSnapshot('branches', { id: `${round}` })
    await memory.addMessages('branches', many(1, 'left'))
    await memory.rollbackToSnapshot('branches', `${round}`)
  }
  for (let other = 0; other < 20; other++) {
    const id = `other user number ${other}`
    await describe(id, { owner: `owner ${other % 3}`, title: `title of ${id}`, metadata: `{"other":${other}}` })
  }
  await describe('user-1', { title: 'a title without an owner' })
  await memory.close()
}

interface Opened {
  readonly memory: MemoryStore
  readonly backend: SqliteBackend
}

type Reads = Record<string, (memory: MemoryStore, backend: SqliteBackend) => Promise<unknown>>

const reads: Reads = {
  listSessions: (memory) => memory.listSessions(),
  pagesOfSessions: async (memory) => {
    const pages: SessionPage = { sessions: [], damaged: [], cursor: null }
    let count = 0
    do {
      if (++count > 100) throw new Error('the pages do not end')
      const page = await memory.listSessions({ limit: 7, cursor: pages.cursor })
      pages.sessions.push(...page.sessions)
      pages.damaged.push(...page.damaged)
      pages.cursor = page.cursor
    } while (pages.cursor !== null)
    return pages
  },
  nobody: (memory) => memory.getHistory('nobody'),
  ...ofSession('user-1', ['first', 'second']),
  ...ofSession('user-2', ['a', 'c', 'd']),
  ...ofSession('branches', ['2', '7', '11']),
  ...ofSession('over', []),
  ...ofSession('gone', []),
  ...ofSession('other user number 7', []),
  ...Object.fromEntries([0, 1, 2, 3].map((owner) => [`of owner ${owner}`, ofOwner(`owner ${owner}`)])),
  named: (memory) => memory.addMessages('user-1', named('user-1'), { operationId: 'named' }),
  saving: (memory) => memory.saveSnapshot('user-1', { id: 'first', label: 'before', operationId: 'saving' }),
  back: (memory) => memory.rollbackToSnapshot('user-1', 'first', { operationId: 'back' }),
  gone: (memory) => memory.addMessages('gone', named('gone'), { operationId: 'named' }),
  over: (memory) => memory.addMessages('over', named('over'), { operationId: 'named' }),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `turn ${index * 5}`,
      (memory: MemoryStore) =>
        memory.addMessages('user-2', named(`${index * 5}`), { operationId: `turn ${index * 5}` }),
    ]),
  ),
}

function ofSession(id: string, snapshots: readonly string[]): Reads {
  return {
    [`about ${id}`]: async (_, backend) => (await backend.read(id, { about: true }, soon())).about,
    [`info ${id}`]: (memory) => memory.sessionInfo(id),
    [`entries ${id}`]: (memory) => memory.getEntries(id),
    [`history ${id}`]: (memory) => memory.getHistory(id),
    [`last of ${id}`]: (memory) => memory.getHistory(id, { last: 3 }),
    [`within ${id}`]: (memory) => memory.getHistory(id, { maxEntries: 4, keepSystem: true }),
    [`recall ${id}`]: (memory) => memory.recall(id, [1, 0, 0], { k: 3 }).catch(onlyDimensions),
    [`snapshots ${id}`]: (memory) => memory.listSnapshots(id),
    [`export ${id}`]: (memory) => memory.exportSession(id).catch(onlyMissing),
    ...Object.fromEntries(
      snapshots.map((at) => [`at ${at} of ${id}`, (memory: MemoryStore) => memory.getEntries(id, { at })]),
    ),
  }
}

/** The sessions of an owner in pages, as a page of the store is told. */
function ofOwner(owner: string): Reads[string] {
  return async (_, backend) => {
    const told: { sessions: object[]; damaged: string[]; cursor: null } = { sessions: [], damaged: [], cursor: null }
    let cursor: string | null = null
    do {
      const page: ListedPage = await backend.sessionsOf(owner, cursor, 3, soon())
      for (const listed of page.sessions) {
        if (listed.state === null) told.damaged.push(listed.id)
        else told.sessions.push(listed)
      }
      cursor = page.cursor
    } while (cursor !== null)
    return told
  }
}

/** A refusal that is the right answer here is compared like one. */
function onlyDimensions(error: { code?: string }): string {
  if (error.code === 'DIMENSION_MISMATCH') return error.code
  throw error
}

function onlyMissing(error: { code?: string }): string {
  if (error.code === 'SESSION_NOT_FOUND') return error.code
  throw error
}

/** Flips one bit of the file after the other and reads all of it each time. */
export async function flipBits(folder: string, sound: string, bits: Iterable<number>): Promise<Flipped> {
  const bytes = readFileSync(sound)
  const file = join(folder, 'flipped.db')
  writeFileSync(file, bytes)
  const truth = await readAll(file)
  const wrong: Wrong[] = []
  let unnoticed = 0
  let refused = 0
  for (const bit of bits) {
    const copy = Buffer.from(bytes)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    writeFileSync(file, copy)
    const found = await readAll(file)
    const differing = [...truth].filter(([read, answer]) => !isTrue(answer, found.get(read)))
    for (const [read] of differing) wrong.push({ bit, read, got: describe(found.get(read)) })
    if ([...found.values()].some((answer) => answer instanceof Error)) refused += 1
    else unnoticed += 1
  }
  return { unnoticed, refused, wrong }
}

async function readAll(file: string): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  const opened = await open(file).catch((error: Error) => error)
  for (const [name, read] of Object.entries(reads)) {
    const answer = opened instanceof Error ? opened : await read(opened.memory, opened.backend).catch((error) => error)
    answers.set(name, answer)
  }
  if (!(opened instanceof Error)) await opened.memory.close().catch(() => {})
  return answers
}

async function open(file: string): Promise<Opened> {
  const timeout = 60_000 // a disk that is busy with something else is not damage
  const backend = await SqliteBackend.open(file, { durability: 'process', timeout })
  return { backend, memory: new MemoryStore(backend, { timeout }) }
}

function isTrue(truth: unknown, found: unknown): boolean {
  if (found instanceof Error) return MemoryStoreError.is(found) && damageCodes.includes(found.code)
  return isDeepStrictEqual(truth, found) || (isPage(truth) && isPage(found) && isTruePage(truth, found))
}

/** A page may name a session as damaged; it leaves none out, and tells nothing else of any. */
function isTruePage(truth: SessionPage, found: SessionPage): boolean {
  const known = new Map(truth.sessions.map((info) => [info.id, info]))
  const isKnown = found.sessions.every((info) => isDeepStrictEqual(info, known.get(info.id)))
  const told = new Set([...found.sessions.map(({ id }) => id), ...found.damaged])
  return isKnown && truth.sessions.every(({ id }) => told.has(id))
}

function isPage(answer: unknown): answer is SessionPage {
  return typeof answer === 'object' && answer !== null && 'sessions' in answer && 'damaged' in answer
}

function describe(answer: unknown): string {
  if (answer instanceof Error) return `${answer.name} ${(answer as { code?: string }).code}: ${answer.message}`
  return JSON.stringify(answer)?.slice(0, 300) ?? 'nothing'
}

/** Random bits of a file, by seed. */
export function* randomBits(size: number, count: number, seed: number): Generator<number> {
  let state = seed >>> 0
  for (let index = 0; index < count; index++) {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    yield Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * size * 8)
  }
}
