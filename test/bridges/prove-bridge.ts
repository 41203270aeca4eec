import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'
import { describeStore } from '../conformance/built-describe-store.ts'

/** The kit's store of each bridge that has one. */
export const storeFiles = {
  langchain: new URL('./langchain/history.store.mjs', import.meta.url),
  'openai-agents': new URL('./openai-agents/session.store.mjs', import.meta.url),
}

/** What the kit says of a bridge on each backend, level by level. */
export async function proveOnEveryBackend(file: URL): Promise<void> {
  const servers = await Promise.all([redisServer(), redisServer({ cluster: true }), postgresServer()])
  afterAll(() => Promise.all(servers.map((server) => server.stop())))
  for (const of of ['memory:', 'sqlite:', ...servers.map(({ url }) => url)])
    describeStore(bridgeModule(file, of), { deadline: 60_000 })
}

/** The module of a bridge's store, on a backend. */
export function bridgeModule(file: URL, of: string): URL {
  const module = new URL(file)
  module.search = `?of=${encodeURIComponent(of)}`
  return module
}
