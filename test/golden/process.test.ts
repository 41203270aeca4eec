import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { reach } from '../../src/golden/process/kill-point.ts'
import { runProcess } from '../../src/golden/process/run-process.ts'
import { finish, startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const steps = new URL('./support/steps.ts', import.meta.url)
const run = async (name: string, args?: unknown, options?: Parameters<typeof runProcess>[4]) =>
  runProcess(join(await temporaryFolder(), 'a.db'), steps, name, args, options)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('an exported function runs in another process, and its result comes back', async () => {
  const result = (await run('describe', { big: 12n, at: new Date(0) })) as { pid: number; args: unknown; path: string }
  expect(result.pid).not.toBe(process.pid)
  expect(result.args).toEqual({ big: 12n, at: new Date(0) })
  expect(result.path).toMatch(/a\.db$/)
  expect(isAlive(result.pid)).toBe(false)
})

test('what it throws comes back with its stack and its code', async () => {
  const thrown = (name: string) => run(name).catch((error: unknown) => error)
  const [error, odd, uncloneable] = await Promise.all(['fail', 'failOddly', 'returnFunction'].map(thrown))
  expect(error).toMatchObject({ name: 'RangeError', message: 'too far', code: 'E_FAR' })
  expect(error).toBeInstanceOf(RangeError)
  expect((error as Error).stack).toMatch(/steps\.ts:\d+/)
  expect(odd).toEqual({ odd: true })
  expect(String(uncloneable)).toMatch(/could not be cloned/)
})

test('a process that ends by itself is done if it ended well', async () => {
  const [well, badly, killed] = await Promise.allSettled([run('leave', 0), run('leave', 3), run('die')])
  expect(well).toEqual({ status: 'fulfilled', value: undefined })
  expect(badly).toMatchObject({ reason: { code: 'PROCESS_FAILED', message: expect.stringContaining('code 3') } })
  expect(killed).toMatchObject({ reason: { code: 'PROCESS_FAILED', message: expect.stringContaining('SIGTERM') } })
})

test('what it did not wait for is lost, as when a process exits', async () => {
  expect(await run('forgetToWait')).toBe('done')
})

test('it is killed at a named point, in the middle of a transaction', async () => {
  const path = join(await temporaryFolder(), 'a.db')
  expect(await runProcess(path, steps, 'writeTwo', null, { killAt: 'between' })).toBeUndefined()
  const database = new Database(path)
  expect(database.prepare('SELECT v FROM t').pluck().all()).toEqual(['before'])
  database.close()
  await runProcess(path, steps, 'writeTwo', null)
  await expect(runProcess(path, steps, 'writeTwo', null, { killAt: 'nowhere' })).rejects.toMatchObject({
    code: 'NOT_REACHED',
  })
})

test('a point outside such a process does nothing', () => {
  expect(reach('between')).toBeUndefined()
})

test('one that is not done in time is killed, even if it never yields', async () => {
  const folder = await temporaryFolder()
  const pid = join(folder, 'pid')
  // On a busy machine, a deadline can pass before the process has started.
  for (let deadline = 1500; !existsSync(pid); deadline *= 2) {
    const run = runProcess(join(folder, 'a.db'), steps, 'neverYield', pid, { deadline })
    await expect(run).rejects.toMatchObject({ code: 'PROCESS_TIMEOUT' })
  }
  expect(isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false)
})

test('it dies with its parent, even while it never yields', async () => {
  const folder = await temporaryFolder()
  const parent = startChild(new URL('./support/dying-parent.ts', import.meta.url), {
    path: join(folder, 'a.db'),
    file: join(folder, 'pid'),
  })
  const { messages } = await finish<number>(parent)
  const [pid] = messages
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false)
})

test('a module that is not there, exports no such function or is named loosely is an error', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'plain.mjs'), 'export const add = (path, { a, b }) => a + b')
  await Promise.all([
    expect(runProcess('x', join(folder, 'none.js'), 'f', null)).rejects.toThrow(/none\.js/),
    expect(run('nothing')).rejects.toThrow(/exports no function nothing, only /),
    expect(runProcess('x', './steps.ts', 'f', null)).rejects.toMatchObject({ code: 'BAD_OPTION' }),
    expect(runProcess('x', join(folder, 'plain.mjs'), 'add', { a: 1, b: 2 })).resolves.toBe(3),
  ])
})
