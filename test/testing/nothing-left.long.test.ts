import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { postgresServer } from '../../src/testing/servers/index.ts'
import { keepFolder } from '../../src/testing/servers/process/keep-folder.ts'
import { startChild } from '../support/child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Started, Wish } from './serve-and-wait.ts'

const program = new URL('./serve-and-wait.ts', import.meta.url)

interface Serving extends Started {
  readonly child: ChildProcess
  /** Its code and its signal. */
  readonly ended: Promise<unknown[]>
  /** When none of the servers is there any more. */
  readonly closed: Promise<unknown>
}

async function serve(wish: Wish, temporary: string, options: SpawnOptions = {}): Promise<Serving> {
  const child = startChild(program, wish, { ...options, env: { ...process.env, TMPDIR: temporary } })
  const ended = once(child, 'exit')
  const [started] = (await once(child, 'message')) as [Started]
  return { ...started, child, ended, closed: Promise.all(started.ports.map(endOfServer)) }
}

function endOfServer(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve()))
}

/** In place of the system's, for a process to remove or to leave something in. */
async function openFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'temporary')
  await mkdir(folder)
  await chmod(join(folder, '..'), 0o755)
  await chmod(folder, 0o755)
  return folder
}

async function foldersIn(temporary: string): Promise<string[]> {
  return (await readdir(temporary)).filter((name) => name.startsWith('unforget-server-'))
}

/** Of shared memory, by the process that made it. */
function segmentsOf(pids: readonly number[]): string[] {
  const lines = execFileSync('ipcs', ['-m', '-p'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => pids.includes(Number(line.trim().split(/\s+/).at(-2))))
}

test.each([
  ['is killed', 'SIGKILL', 'redis'],
  ['is killed', 'SIGKILL', 'cluster'],
  ['is killed', 'SIGKILL', 'postgres'],
  ['is interrupted', 'SIGINT', 'redis'],
  ['is asked to end', 'SIGTERM', 'redis'],
  ['ends by itself, having forgotten to stop it', null, 'redis'],
  ['ends by itself, having forgotten to stop it', null, 'postgres'],
] as const)('no server and no folder is left when the process %s: %s, %s', async (_how, signal, what) => {
  const temporary = await openFolder()
  const { child, ended, closed, pids } = await serve({ what, forget: signal === null }, temporary)
  expect(await foldersIn(temporary)).not.toEqual([])
  if (signal !== null) child.kill(signal)
  expect(await ended).toEqual(signal === null ? [0, null] : [null, signal])
  await closed
  await expect.poll(() => foldersIn(temporary)).toEqual([])
  await expect.poll(() => segmentsOf(pids)).toEqual([])
})

test('Ctrl-C in the terminal, which reaches the whole group, leaves the server to the one who started it', async () => {
  const temporary = await openFolder()
  const { child, ended, closed } = await serve({ what: 'redis' }, temporary, { detached: true })
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
  await closed
  await expect.poll(() => foldersIn(temporary)).toEqual([])
})

test.each(['redis', 'cluster', 'postgres'] as const)(
  'no server is left when the temporary folder was removed before the process was killed: %s',
  async (what) => {
    const temporary = await openFolder()
    const { child, ended, closed, pids } = await serve({ what, restart: true }, temporary)
    expect(segmentsOf(pids)).toHaveLength(what === 'postgres' ? 2 : 0)
    await rm(temporary, { recursive: true, maxRetries: 10 })
    child.kill('SIGKILL')
    await ended
    await closed
    await expect.poll(() => segmentsOf(pids)).toEqual([])
  },
)

test('no shared memory is left of a PostgreSQL that was killed before it was stopped', async () => {
  await using server = await postgresServer({ own: true })
  const { pid } = server
  await server.kill()
  expect(segmentsOf([pid])).toHaveLength(1)
  await server.stop()
  expect(segmentsOf([pid])).toEqual([])
})

test('no folder is left when the process is killed after it was made, and before that was said', async () => {
  const temporary = await openFolder()
  const programs = await temporaryFolder()
  const fifo = join(programs, 'fifo')
  execFileSync('mkfifo', [fifo])
  await writeFile(
    join(programs, 'mkdir'),
    `#!/bin/sh
PATH=\${PATH#*${delimiter}} mkdir "$@"
echo made >${fifo}
read -r line <${fifo}
`,
    { mode: 0o755 },
  )
  const env = { ...process.env, TMPDIR: temporary, PATH: `${programs}${delimiter}${process.env['PATH']}` }
  const child = startChild(program, { what: 'redis' } satisfies Wish, { env })
  const ended = once(child, 'exit')
  await promisify(execFile)('cat', [fifo], { timeout: 600_000 })
  expect(await foldersIn(temporary)).toHaveLength(1)
  child.kill('SIGKILL')
  await ended
  await writeFile(fifo, '\n')
  await expect.poll(() => foldersIn(temporary)).toEqual([])
})

test('a process that got the id of one that has ended is let be', async () => {
  const other = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(other, 'spawn')
  const kept = await keepFolder()
  kept.pipe.write(`${other.pid} 1\n`)
  await kept.remove()
  other.stdin.end('still here')
  expect(String(await once(other.stdout, 'data'))).toBe('still here')
  expect(await once(other, 'exit')).toEqual([0, null])
})
