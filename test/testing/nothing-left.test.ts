import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startChild } from '../support/child.ts'

const program = new URL('./serve-and-wait.ts', import.meta.url)

interface Started {
  folder: string
  ports: number[]
}

function endOfServer(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve()))
}

test.each([
  ['is killed', 'SIGKILL', false],
  ['is killed with a cluster', 'SIGKILL', true],
  ['is interrupted', 'SIGINT', false],
  ['is asked to end', 'SIGTERM', false],
  ['ends by itself, having forgotten to stop it', null, false],
] as const)('no server and no folder is left when the process %s', async (_how, signal, cluster) => {
  const child = startChild(program, { forget: signal === null, cluster })
  const ended = once(child, 'exit')
  const [{ folder, ports }] = (await once(child, 'message')) as [Started]
  const closed = ports.map(endOfServer)
  if (signal !== null) child.kill(signal)
  const [code, by] = (await ended) as [number | null, string | null]
  expect([code, by]).toEqual(signal === null ? [0, null] : [null, signal])
  await Promise.all(closed)
  await expect.poll(() => existsSync(folder) || existsSync(`${folder}.ending`), { timeout: 30_000 }).toBe(false)
})

test('Ctrl-C in the terminal, which reaches the whole group, leaves the server to the one who started it', async () => {
  const child = startChild(program, { forget: false, cluster: false }, { detached: true })
  const ended = once(child, 'exit')
  const [{ folder, ports }] = (await once(child, 'message')) as [Started]
  const closed = ports.map(endOfServer)
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
  await Promise.all(closed)
  await expect.poll(() => existsSync(folder), { timeout: 30_000 }).toBe(false)
})
