import { createClient } from 'redis'
import { redisServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'

/** A server for the tests of one file, and a bare client of it. */
export async function serveFile(options: Parameters<typeof redisServer>[0] = {}) {
  const server = await redisServer(options)
  const bare = createClient({ url: server.url })
  bare.on('error', () => {})
  await bare.connect()
  afterAll(async () => {
    bare.destroy()
    await server.stop()
  })
  return { server, bare }
}

/** The keys of a memory that holds one session, by their kind. */
export async function keysByKind(bare: { keys(pattern: string): Promise<string[]> }, prefix: string) {
  const keys = await bare.keys(`${prefix}:{*`)
  return new Map(keys.map((key) => [key.slice(key.lastIndexOf(':') + 1), key]))
}

export const user = (content: string) => ({ role: 'user' as const, content })
