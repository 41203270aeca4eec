import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Failure, ProveOptions } from 'unforget/conformance'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { prove } from './support/built-kit.ts'
import { proved } from './support/proved.ts'
import { moduleOf, type StoreModule, storeModule, storeWith } from './support/store-module.ts'

const two = ['clearing.1/empty-and-goes-on', 'isolation.3/two-conversations-interleaved']

/** The failures of a store whose every case is to fail. */
async function failures(module: StoreModule, options: ProveOptions = {}): Promise<Failure[]> {
  const { cases, verdict } = await proved(module, { cases: two, ...options })
  expect(verdict).toBe('broken')
  expect(cases.map(({ status }) => status)).toEqual(['failed', 'failed'])
  return cases.flatMap(({ failure }) => failure ?? [])
}

test('a sound store of four methods passes core, and what it does not offer is not passed', async () => {
  const { levels, cases, verdict, notes, store } = await proved(await storeModule(), {
    levels: ['core', 'snapshots', 'model'],
  })
  expect({ verdict, notes }).toEqual({ verdict: 'holds', notes: [] })
  expect(store).toMatchObject({ name: 'my store', capabilities: [] })
  expect(store.methods).toEqual(['addMessages', 'clear', 'getHistory', 'trim'])
  expect(levels.find(({ level }) => level === 'core')).toMatchObject({
    passed: 21,
    failed: 0,
    notOffered: 2,
    missing: ['ttl'],
  })
  expect(levels.find(({ level }) => level === 'snapshots')).toMatchObject({ offered: false, passed: 0, failed: 0 })
  for (const { status, missing } of cases) expect(status).toBe(missing.length === 0 ? 'passed' : 'not offered')
})

describe('a store that', () => {
  test('ends its process under a case is told so, and the next case is run in a new one', async () => {
    const dies = await storeWith('addMessages: async () => { console.error("out of luck"); process.exit(7) }')
    for (const { kind, message, calls, stack } of await failures(dies)) {
      expect(kind).toBe('died')
      expect(message).toBe('the process ended with exit code 7, saying: out of luck')
      expect(calls.at(-1)).toMatch(/^addMessages\(/)
      expect(stack).toContain('out of luck')
    }
  })

  test('exits with 0 has not passed', async () => {
    const [failure] = await failures(await storeWith('addMessages: async () => process.exit(0)'))
    expect(failure).toMatchObject({ kind: 'died', message: 'the process ended with exit code 0' })
  })

  test('throws where nobody can catch it is told what it threw', async () => {
    const throws = await storeWith(
      'addMessages: () => new Promise(() => setImmediate(() => { throw new RangeError("lost in a callback") }))',
    )
    const [failure] = await failures(throws)
    expect(failure).toMatchObject({ kind: 'died' })
    expect(failure?.message).toContain('RangeError: lost in a callback')
  })

  test('is killed is told by which signal', async () => {
    const killed = await storeWith('addMessages: async () => process.kill(process.pid, "SIGSEGV")')
    const [failure] = await failures(killed)
    expect(failure).toMatchObject({ kind: 'died', message: 'the process ended by SIGSEGV' })
  })

  test('never answers has not finished, hung, and is told its last calls and a longer deadline', async () => {
    const never = await storeWith('getHistory: () => new Promise(() => {})')
    const { cases, verdict, levels } = await proved(never, { cases: two, deadline: 300 })
    expect(verdict).toBe('not finished')
    expect(levels[0]).toMatchObject({ cases: 2, passed: 0, failed: 0, notFinished: 2, notOffered: 0 })
    for (const { status, failure } of cases) {
      expect({ status, kind: failure?.kind }).toEqual({ status: 'not finished', kind: 'hung' })
      expect(failure?.message).toMatch(
        /^did not end within 0\.3 s: getHistory\(.*\) has been waiting for 0\.\d s, and no call/,
      )
      expect(failure?.calls.at(-1)).toMatch(/^getHistory\(/)
      expect(failure?.suggestedDeadline).toBe(10_000)
    }
  })

  test('is slow has not finished either, and passes with the suggested deadline', async () => {
    const slow = await storeWith(
      'addMessages: async (...given) => { await new Promise((done) => setTimeout(done, 25)); return sound.addMessages(...given) }',
    )
    const one = two.slice(1)
    const { cases, verdict } = await proved(slow, { cases: one, deadline: 200 })
    expect(verdict).toBe('not finished')
    expect(cases.map(({ status, failure }) => [status, failure?.kind])).toEqual([['not finished', 'slow']])
    expect(cases[0]?.failure?.message).toMatch(/^did not end within 0\.2 s: slow, but \d+ calls were answered/)
    const deadline = cases[0]?.failure?.suggestedDeadline ?? 0
    expect((await proved(slow, { cases: one, deadline })).verdict).toBe('holds')
  })

  test('breaks one clause and is too slow for another is broken, by the first alone', async () => {
    const both = await storeWith(
      "clear: async () => {}, getHistory: (id) => id === 'alice' ? new Promise(() => {}) : sound.getHistory(id)",
    )
    const { cases, verdict } = await proved(both, { cases: two, deadline: 1000 })
    expect(verdict).toBe('broken')
    expect(cases.map(({ status }) => status).sort()).toEqual(['failed', 'not finished'])
  })

  test('blocks the event loop is stopped from outside, and its last calls are known', async () => {
    const blocks = await storeWith('getHistory: () => { for (;;); }')
    const { cases, verdict } = await proved(blocks, { cases: two.slice(0, 1), deadline: 300 })
    expect(verdict).toBe('not finished')
    expect(cases[0]?.failure).toMatchObject({ kind: 'hung', suggestedDeadline: 10_000 })
    expect(cases[0]?.failure?.message).toContain('no longer reacted')
    expect(cases[0]?.failure?.calls.at(-1)).toMatch(/^getHistory\(/)
  })

  test('rejects with what is no error is quoted', async () => {
    for (const [thrown, shown] of [
      ['"busy"', "'busy'"],
      ['undefined', 'undefined'],
      ['Object.create(null)', '[Object: null prototype] {}'],
      ['{ code: 5 }', '{ code: 5 }'],
    ]) {
      const [failure] = await failures(await storeWith(`addMessages: async () => { throw ${thrown} }`))
      expect(failure?.kind).toBe('broken')
      expect(failure?.message).toContain(`${shown}, which is not an Error`)
    }
  })

  test('leaves a process of its own behind does not for long', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const child = `require('net').connect(${port}, '127.0.0.1', () => { console.log('connected'); setTimeout(() => { for (;;); }) })`
    const starts = await storeModule(`import { spawn } from 'node:child_process'
definition.open = (request) => {
  if (/first-look|diagnosis/.test(request.location)) return openSound(request)
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.on('data', () => process.exit(1))
  return new Promise(() => {})
}`)
    const ended = once(server, 'connection').then(
      ([socket]: Socket[]) =>
        socket &&
        once(
          socket.on('error', () => {}),
          'close',
        ),
    )
    await failures(starts)
    await ended
  })

  test('leaves a timer running gets a note and passes', async () => {
    const keeps = await storeWith('clear: (id) => { setInterval(() => {}, 1000); return sound.clear(id) }')
    const { verdict, notes } = await proved(keeps, { cases: two })
    expect(verdict).toBe('holds')
    expect(notes).toEqual([
      expect.stringMatching(
        /^after its last handle was closed, the store kept its process alive \(\d+ timers?\); it was killed$/,
      ),
    ])
  })

  test('leaves a rejection behind between two cases gets a note, and its process lives', async () => {
    const leaves = await storeModule(
      'definition.destroy = () => { setImmediate(() => Promise.reject(new Error("too late"))) }',
    )
    const { notes, cases } = await proved(leaves, { cases: two })
    const said = [...notes, ...cases.map(({ failure }) => failure?.message ?? '')].join()
    expect(said).toContain('an error was left unhandled: Error: too late')
    expect(cases.every(({ failure }) => failure?.kind !== 'died')).toBe(true)
  })

  test('fails to close breaks each case, and can be looked at', async () => {
    const [failure] = await failures(await storeModule('definition.close = () => { throw new Error("stuck") }'))
    expect(failure).toMatchObject({ kind: 'broken', message: 'closing and destroying the store: Error: stuck' })
  })

  test('opens only once cannot be opened, which is no broken clause', async () => {
    const once = await storeModule(`let opened = 0
definition.open = (request) => { if (opened++ > 0) throw new Error('one at a time'); return openSound(request) }`)
    const { verdict, cases } = await proved(once, { cases: two })
    expect(verdict).toBe('cannot open')
    expect(cases[0]?.failure).toMatchObject({ kind: 'cannot open', message: 'open rejected with Error: one at a time' })
  })

  test('spoils the run for the kit has not failed a clause, and has not passed', async () => {
    const spoils = await storeModule(`import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
definition.close = () => {}
definition.open = (request) => {
  if (!/first-look|diagnosis/.test(request.location)) rmSync(dirname(dirname(request.location)), { recursive: true, force: true })
  return openSound(request)
}`)
    const { verdict, cases, levels } = await proved(spoils, { cases: two })
    expect(verdict).toBe('kit failed')
    expect(cases.map(({ status }) => status)).toEqual(['passed', 'kit failed'])
    expect(cases[1]?.failure?.message).toContain('could not create a folder for the case')
    expect(levels[0]).toMatchObject({ passed: 1, failed: 0, kitFailed: 1 })
  })

  test('has none of the methods has proved nothing', async () => {
    const { verdict, cases } = await proved(await storeModule('definition.open = () => ({})'))
    expect(verdict).toBe('nothing offered')
    expect(new Set(cases.map(({ status }) => status))).toEqual(new Set(['not offered']))
  })
})

test('a failure says what was asked, and shows the calls of the session it is about', async () => {
  const other = await storeWith(
    "getHistory: async (id) => (id === 'user-7' ? [{ role: 'user', content: 'user-8' }] : sound.getHistory(id))",
  )
  const { cases } = await proved(other, { cases: ['isolation.1/ids-that-look-alike', 'adding.8'] })
  const failure = cases.find(({ clause }) => clause === 'isolation.1')?.failure
  expect(failure).toMatchObject({ session: 'user-7', message: 'session "user-7", first at [0]' })
  expect(failure?.calls).toEqual([
    "addMessages('user-7', [ { role: 'user', content: 'user-7' } ])",
    "getHistory('user-7')",
  ])
  const forgets = await storeWith('getHistory: async (id) => (await sound.getHistory(id)).slice(1)')
  const [first] = (await proved(forgets, { cases: ['adding.8'] })).cases
  expect(first?.failure?.message).toBe("not what was expected of getHistory('s'), first at .length")
})

test('no case asks a question of yes or no without saying which', async () => {
  const folder = new URL('../../../src/conformance/cases/', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  for (const file of files) {
    const code = await readFile(new URL(file, folder), 'utf8')
    const bare = code.match(/assert\.ok\((?!\n)(?:[^(),'"`]|\([^()]*\))*\)$|\bsame\([^\n]*, (true|false)\)$/gm)
    expect(bare, file).toBeNull()
  }
})

test('a store in TypeScript is loaded', async () => {
  const typed = await moduleOf(
    `type Turn = { role: string }
const sessions = new Map<string, Turn[]>()
export default { name: 'typed', open: () => ({ getHistory: async (id: string) => sessions.get(id) ?? ([] as Turn[]) }) }`,
    './my-store.ts',
  )
  const { store } = await proved(typed, { cases: ['adding.5'], levels: undefined })
  expect(store).toMatchObject({ name: 'typed', methods: ['getHistory'] })
})

test('the same seed is given to the cases again, another one else', async () => {
  const module = await storeModule()
  const seeds = await Promise.all(
    [{ seed: 7 }, { seed: undefined }, { seed: undefined }].map(
      async (options) => (await proved(module, { cases: two, ...options })).seed,
    ),
  )
  expect(seeds[0]).toBe(7)
  expect(seeds[1]).not.toBe(seeds[2])
})

test('it ends early when told to, and leaves nothing behind', async () => {
  const { url } = await storeWith('getHistory: () => new Promise(() => {})')
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'memories'))
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const ending = prove(url, {
    levels: ['core'],
    folder: join(folder, 'memories'),
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(ending).rejects.toThrow('enough')
  expect(await readdir(join(folder, 'memories'))).toEqual([])
})
