import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startChild } from '../support/child.ts'

const program = new URL('./serve-and-wait.ts', import.meta.url)

interface Started {
  folders: string[]
  ports: number[]
}

function endOfServer(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve()))
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
  const child = startChild(program, { forget: signal === null, what })
  const ended = once(child, 'exit')
  const [{ folders, ports }] = (await once(child, 'message')) as [Started]
  const closed = ports.map(endOfServer)
  if (signal !== null) child.kill(signal)
  const [code, by] = (await ended) as [number | null, string | null]
  expect([code, by]).toEqual(signal === null ? [0, null] : [null, signal])
  await Promise.all(closed)
  await expect.poll(() => folders.some((folder) => existsSync(folder) || existsSync(`${folder}.ending`))).toBe(false)
})

test('Ctrl-C in the terminal, which reaches the whole group, leaves the server to the one who started it', async () => {
  const child = startChild(program, { forget: false, what: 'redis' }, { detached: true })
  const ended = once(child, 'exit')
  const [{ folders, ports }] = (await once(child, 'message')) as [Started]
  const closed = ports.map(endOfServer)
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
  await Promise.all(closed)
  await expect.poll(() => folders.some((folder) => existsSync(folder))).toBe(false)
})
