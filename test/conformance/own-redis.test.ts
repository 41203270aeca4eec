import { describeStore } from 'unforget/conformance/vitest'
import { redisServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'
import { urlStoreModule } from '../../src/cli/url.store.ts'

const server = await redisServer()
afterAll(() => server.stop())

describeStore(urlStoreModule(server.url), { deadline: 60_000 })
