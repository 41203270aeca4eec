import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type RedisServer, type RedisServerOptions, redisServer } from '../../src/testing/servers/index.ts'
import { askRedis } from '../../src/testing/servers/redis/ask-redis.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let open: RedisServer[] = []

async function start(options: RedisServerOptions = {}): Promise<RedisServer> {
  const server = await redisServer({ own: true, ...options })
  open.push(server)
  return server
}

afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(open.map((server) => server.stop()))
  open = []
})

test('a server is there, on loopback only, and gone with its folder when it is stopped', async () => {
  const server = await start()
  expect(server.url).toBe(`redis://127.0.0.1:${server.port}`)
  expect(await askRedis(server, ['SET', 'a', '1'], ['GET', 'a'])).toEqual(['OK', '1'])
  expect(await askRedis(server, ['CONFIG', 'GET', 'bind'], ['CONFIG', 'GET', 'save'])).toEqual([
    ['bind', '127.0.0.1'],
    ['save', ''],
  ])
  expect(server.nodes).toMatchObject([{ role: 'master', port: server.port, pid: server.pid }])
  expect(existsSync(server.folder)).toBe(true)
  await server.stop()
  expect(existsSync(server.folder)).toBe(false)
  await expect(askRedis(server, ['PING'])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(() => server.pid).toThrow('is not running')
  await server.stop()
})

test('what a killed server kept is what its append-only file kept', async () => {
  for (const [aof, kept] of [
    ['always', 'kept'],
    [undefined, null],
  ] as const) {
    const server = await start(aof === undefined ? {} : { aof })
    const { pid, port } = server
    await askRedis(server, ['SET', 'a', 'kept'])
    await server.kill()
    await expect(askRedis(server, ['PING'])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(() => server.pause()).toThrow('is not running')
    await server.restart()
    expect([server.port, server.pid === pid]).toEqual([port, false])
    expect(await askRedis(server, ['GET', 'a'])).toEqual([kept])
  }
})

test('a paused server answers when it is resumed, and can be stopped and restarted while it is paused', async () => {
  const server = await start({ aof: 'everysec' })
  server.pause()
  const answer = askRedis(server, ['SET', 'a', '1'])
  server.resume()
  expect(await answer).toEqual(['OK'])
  server.pause()
  await server.restart()
  expect(await askRedis(server, ['GET', 'a'])).toEqual(['1'])
  server.pause()
  await server.stop()
})

test('configuration and password are taken as they are given', async () => {
  const server = await start({ config: { maxmemory: '10mb', requirepass: 'a "quoted" # word', save: '60 1 300 10' } })
  expect(server.url).toContain(encodeURIComponent('a "quoted" # word'))
  const address = { host: server.host, port: server.port, password: 'a "quoted" # word' }
  expect(await askRedis(address, ['CONFIG', 'GET', 'maxmemory'], ['CONFIG', 'GET', 'save'])).toEqual([
    ['maxmemory', '10485760'],
    ['save', '60 1 300 10'],
  ])
  await server.restart()
  expect(await askRedis(address, ['PING'])).toEqual(['PONG'])
  await expect(askRedis(server, ['PING'])).rejects.toThrow('NOAUTH')
  await expect(start({ config: { bind: '0.0.0.0' } })).rejects.toThrow('bind cannot be set')
})

test('a server that cannot start says what it said', async () => {
  await expect(start({ config: { nonsense: 'yes' } })).rejects.toThrow(/ended instead of listening.*nonsense/s)
  await expect(start({ binary: '/nowhere/redis-server' })).rejects.toThrow('/nowhere/redis-server')
})

test('a port that is taken meanwhile is another port', async () => {
  const folder = await temporaryFolder()
  const binary = join(folder, 'late-server')
  await writeFile(
    binary,
    `#!/bin/sh
if [ ! -e ${folder}/first ]; then
  echo "$(grep '^port' "$1")" >${folder}/first
  echo 'Could not create server TCP listening socket 127.0.0.1: bind: Address already in use'
  exit 1
fi
exec redis-server "$@"
`,
  )
  await chmod(binary, 0o755)
  const server = await start({ binary })
  expect(await readFile(join(folder, 'first'), 'utf8')).not.toContain(String(server.port))
  expect(await askRedis(server, ['PING'])).toEqual(['PONG'])
})

test('REDIS_URL names a server that is used and left alone', async () => {
  const there = await start({ aof: 'everysec' })
  vi.stubEnv('REDIS_URL', there.url)
  const server = await redisServer({ aof: 'everysec' })
  expect(server).toMatchObject({ own: false, url: there.url, port: there.port, host: '127.0.0.1' })
  expect(() => server.pause()).toThrow('not ours to pause')
  await expect(server.kill()).rejects.toThrow('not ours to kill')
  await expect(server.restart()).rejects.toThrow('redisServer({ own: true })')
  await server.stop()
  expect(await askRedis(there, ['PING'])).toEqual(['PONG'])
  await expect(redisServer({ aof: 'always' })).rejects.toThrow('has appendfsync everysec')
  await there.stop()
  await expect(redisServer()).rejects.toThrow('does not respond')
})
