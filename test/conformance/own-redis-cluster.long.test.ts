import { describeStore } from 'unforget/conformance/vitest'
import { redisServer } from 'unforget/testing/servers'
import { afterAll } from 'vitest'

const cluster = await redisServer({ cluster: true })
afterAll(() => cluster.stop())

const module = new URL('./redis-cluster.store.ts', import.meta.url)
module.search = `?of=${encodeURIComponent(cluster.url)}`
describeStore(module, { deadline: 60_000 })
