import { existingServer } from '../existing-server.ts'
import type { TestServer } from '../server.ts'
import { askRedis, type RedisAddress } from './ask-redis.ts'
import { configOf, type RedisServerOptions } from './redis-options.ts'

const instead = 'redisServer({ own: true })'

/** The server that `REDIS_URL` names, once it responds and has the required settings. */
export async function useExistingRedis(
  url: string,
  options: RedisServerOptions,
): Promise<TestServer<'master' | 'replica'>> {
  const address = addressOf(url)
  const { host, port } = address
  try {
    await askRedis(address, ['PING'])
  } catch (error) {
    throw new Error(`the server that REDIS_URL names (${host}:${port}) does not respond`, { cause: error })
  }
  await compareSettings(address, options)
  return existingServer({ role: 'master', url, host, port, variable: 'REDIS_URL', instead })
}

function addressOf(url: string): RedisAddress {
  const { protocol, hostname, port, username, password } = new URL(url)
  if (protocol !== 'redis:') throw new TypeError(`REDIS_URL: expected redis://…, not ${protocol}//…`)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

async function compareSettings(address: RedisAddress, { aof, config = {} }: RedisServerOptions): Promise<void> {
  const asked = aof === undefined ? config : { ...config, appendonly: 'yes', appendfsync: aof }
  configOf({ config })
  for (const [key, value] of Object.entries(asked)) {
    const [reply] = await askRedis(address, ['CONFIG', 'GET', key])
    const [, there] = Array.isArray(reply) ? reply : []
    if (there === value) continue
    const has = there === undefined ? `knows no ${key}` : `has ${key} ${String(there)}`
    throw new Error(
      `the server that REDIS_URL names ${has}, and the test asks for ${value}: set it there, or ${instead}`,
    )
  }
}
