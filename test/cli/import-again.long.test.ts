import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MemoryStore, openMemory } from 'unforget'
import { type FaultProxy, faultProxy } from 'unforget/faults'
import { redisServer } from 'unforget/testing/servers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { start, unforget } from './support/run-cli.ts'

const server = await redisServer()
const cwd = await mkdtemp(join(tmpdir(), 'unforget-test-'))
afterAll(() => Promise.all([server.stop(), rm(cwd, { recursive: true, force: true })]))

const small = Array.from({ length: 150 }, (_, index) => `s${index}`)
/** A large session among small ones. */
const ids = [...small.slice(0, 100), 'large', ...small.slice(100)]
const largeEntries = 6000
let exported = ''

beforeAll(async () => {
  {
    await using memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
    const turns = (count: number, size: number) =>
      Array.from({ length: count }, (_, turn) => ({ role: 'user' as const, content: `${turn} ${'x'.repeat(size)}` }))
    await Promise.all(small.map((id) => memory.addMessages(id, turns(3, 500))))
    for (let slice = 0; slice < 6; slice++) await memory.addMessages('large', turns(largeEntries / 6, 1000))
    await memory.saveSnapshot('large', { id: 'kept' })
  }
  await unforget(['export', 'agent.db', ...ids, '-o', 'agent.jsonl'], { cwd })
  exported = await readFile(join(cwd, 'agent.jsonl'), 'utf8')
})

/** The sessions of an export, byte for byte, in an order of their own: that of a store is its own. */
const sorted = (text: string) => text.split(/^(?=\{"type":"(?:session|end)")/m).sort()

async function expectToGoOn(store: string): Promise<{ sessions: number; present: number }> {
  const again = await unforget(['import', store, 'agent.jsonl', '--json'], { cwd })
  expect(again).toMatchObject({ stderr: '', code: 0 })
  const { sessions, present, refused } = JSON.parse(again.stdout)
  expect({ sum: sessions + present, refused }).toEqual({ sum: ids.length, refused: [] })
  expect(sorted((await unforget(['export', store], { cwd })).stdout)).toEqual(sorted(exported))
  expect((await unforget(['import', store, 'agent.jsonl'], { cwd })).stdout).toBe(
    `imported 0 sessions, 0 entries, ${ids.length} already present\n`,
  )
  return { sessions, present }
}

const howMany = async (memory: MemoryStore) => (await memory.listSessions({ limit: 1000 })).sessions.length

const sizeOf = (file: string) =>
  stat(join(cwd, file)).then(
    ({ size }) => size,
    () => 0,
  )

test.each<[string, string, (target: MemoryStore) => Promise<boolean>]>([
  ['when the first session is there', 'first.db', async (target) => (await howMany(target)) >= 1],
  ['when 70 sessions are there', 'seventy.db', async (target) => (await howMany(target)) >= 70],
  ['in the middle of the large session', 'middle.db', async () => (await sizeOf('middle.db-wal')) > 3_000_000],
  ['when the large session is there', 'large.db', async (target) => (await target.sessionInfo('large')) !== null],
])('an import into SQLite that is killed %s goes on when it is started again', async (_name, file, isThere) => {
  const target = await openMemory(`sqlite:${join(cwd, file)}`)
  onTestFinished(() => target.close())
  const running = start(['import', file, 'agent.jsonl'], { cwd })
  while (running.child.exitCode === null && !(await isThere(target))) await target.health()
  running.child.kill('SIGKILL')
  await running.ended
  expect(await target.verify()).toMatchObject({ ok: true })
  const { present } = await expectToGoOn(file)
  expect(present === 0 && file !== 'middle.db').toBe(false)
})

test.each([
  ['before', 0.4],
  ['after', 0.7],
  ['before', 0.9],
] as const)(
  'an import into Redis that is killed %s the command at %d of its way goes on when it is started again',
  async (moment, share) => {
    await using proxy = await faultProxy({ host: server.host, port: server.port, protocol: 'redis' })
    const at = Math.ceil((await commandsOf(proxy)) * share)
    const armed = proxy.arm({ do: `hang ${moment}`, at })
    const running = start(['import', `${proxy.url}?prefix=killed-at-${at}`, 'agent.jsonl'], { cwd })
    await Promise.race([armed.whenFired(), running.ended])
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBe(null)
    const { present } = await expectToGoOn(`${server.url}?prefix=killed-at-${at}`)
    expect(present).toBeGreaterThan(0)
  },
)

/** How many commands an import sends that nothing disturbs. */
async function commandsOf(proxy: FaultProxy): Promise<number> {
  let commands = 0
  const where = () => {
    commands += 1
    return false
  }
  proxy.arm({ do: 'reset before', where })
  expect((await unforget(['import', `${proxy.url}?prefix=${randomUUID()}`, 'agent.jsonl'], { cwd })).code).toBe(0)
  await proxy.heal()
  return commands
}
