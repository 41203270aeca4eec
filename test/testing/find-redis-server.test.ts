import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ServerNotFoundError } from '../../src/testing/servers/index.ts'
import { howToInstall } from '../../src/testing/servers/process/how-to-install.ts'
import { findRedisServer, redisPackages } from '../../src/testing/servers/redis/find-redis-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('redis-server is found before valkey-server, and either where only one is there', async () => {
  const folder = await temporaryFolder()
  const environment = { PATH: `/nowhere:${folder}` }
  expect(() => findRedisServer(environment)).toThrow(ServerNotFoundError)
  for (const name of ['valkey-server', 'redis-server']) {
    const file = join(folder, name)
    await writeFile(file, '')
    if (name === 'valkey-server') expect(() => findRedisServer(environment)).toThrow('is on the PATH')
    await chmod(file, 0o755)
    expect(findRedisServer(environment)).toBe(file)
  }
  expect(findRedisServer({ ...environment, UNFORGET_REDIS_SERVER: '/opt/redis-server' })).toBe('/opt/redis-server')
})

test.each([
  ['linux', 'ID=debian', 'apt-get install redis-server'],
  ['linux', 'NAME="Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"', 'apt-get install redis-server'],
  ['linux', 'ID=fedora', 'dnf install valkey'],
  ['linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"', 'dnf install valkey'],
  ['linux', 'ID=alpine', 'apk add redis'],
  ['linux', 'ID=arch', 'pacman -S valkey'],
  ['linux', '', 'https://valkey.io/download'],
  ['darwin', '', 'brew install redis'],
  ['win32', '', 'wsl --install'],
])('on %s with %j the advice is %s', (platform, release, advice) => {
  expect(howToInstall(redisPackages, platform, release)).toContain(advice)
})

test('where none is installed the error says how to get one, and of REDIS_URL', () => {
  expect(() => findRedisServer({ PATH: '' })).toThrow(
    /neither redis-server nor valkey-server is on the PATH\..*or set REDIS_URL/,
  )
})
