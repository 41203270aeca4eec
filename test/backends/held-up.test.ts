import { spawnSync } from 'node:child_process'
import { Socket } from 'node:net'
import { openMemory } from 'unforget'
import { postgresServer, redisServer } from 'unforget/testing/servers'
import { expect, onTestFinished, test, vi } from 'vitest'

/** Enough for calls that are not held up, even on a busy machine. */
const timeout = 2000

/** Longer than a call or a connection may take. */
const tooLong = 2500

/** Programs that end when the server has answered everything that was sent to it before. */
const answered = {
  redis: (port: number) => `
    const socket = require('node:net').connect(${port}, '127.0.0.1')
    let replies = 0
    socket.write('PING\\r\\n')
    socket.on('data', () => ++replies < 3 ? socket.write('PING\\r\\n') : process.exit(0))`,
  postgres: (port: number) => `
    const { Client } = require('pg')
    const client = new Client('postgres://postgres@127.0.0.1:${port}/postgres')
    const busy = "SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()"
    client.connect().then(async () => {
      for (let quiet = 0; quiet < 3; ) quiet = (await client.query(busy)).rowCount === 0 ? quiet + 1 : 0
      process.exit(0)
    })`,
}

/** From when the next request is written, the event loop stands still until the answer waits in the socket and the deadline has passed. */
function holdUpAfterSending(program: string): { readonly held: boolean } {
  const state = { held: false }
  const write = Socket.prototype.write
  const spy = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const result = Reflect.apply(write, this, args) as boolean
    spy.mockRestore()
    const holdUp = () => {
      if (this.writableLength > 0) return process.nextTick(holdUp)
      const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tooLong)
      state.held = true
    }
    process.nextTick(holdUp)
    return result
  })
  return state
}

test.each(['redis', 'postgres'] as const)(
  '%s: an answer that is in the socket when a held-up event loop finds the deadline passed is taken',
  async (kind) => {
    const server = await (kind === 'redis' ? redisServer({ own: true }) : postgresServer({ own: true }))
    onTestFinished(() => server.stop())
    const memory = await openMemory(server.url, { timeout })
    onTestFinished(() => memory.close())
    await memory.addMessages('s', [{ role: 'user', content: 'before' }])

    const writing = holdUpAfterSending(answered[kind](server.port))
    await memory.addMessages('s', [{ role: 'user', content: 'held up' }])
    expect(writing.held).toBe(true)

    const reading = holdUpAfterSending(answered[kind](server.port))
    expect((await memory.getHistory('s')).map(({ content }) => content)).toEqual(['before', 'held up'])
    expect(reading.held).toBe(true)
  },
)

test.each(['redis', 'postgres'] as const)(
  '%s: a memory opens though the event loop is held up meanwhile',
  async (kind) => {
    const server = await (kind === 'redis' ? redisServer({ own: true }) : postgresServer({ own: true }))
    onTestFinished(() => server.stop())
    const opening = holdUpAfterSending(answered[kind](server.port))
    await using memory = await openMemory(server.url, { timeout })
    expect(opening.held).toBe(true)
    expect(await memory.getHistory('s')).toEqual([])
  },
)
