import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'
import { describeStore } from '../conformance/built-describe-store.ts'
import { bridgeModule } from './bridge-store.ts'
import { storeFiles } from './store-files.ts'

const servers = await Promise.all([redisServer(), redisServer({ cluster: true }), postgresServer()])
afterAll(() => Promise.all(servers.map((server) => server.stop())))

for (const file of storeFiles) {
  for (const of of ['memory:', 'sqlite:', ...servers.map(({ url }) => url)])
    describeStore(bridgeModule(file, of), { deadline: 60_000 })
}
