import { postgresServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'
import { describeStore } from './built-describe-store.ts'
import { urlStoreModule } from './built-kit.ts'
import { quickLevelsOnServers } from './own-levels.ts'

const server = await postgresServer()
afterAll(() => server.stop())

describeStore(urlStoreModule(server.url), { levels: quickLevelsOnServers, deadline: 60_000 })
