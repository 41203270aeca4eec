import { postgresServer, redisServer } from 'unforget/testing/servers'
import { afterAll, describe } from 'vitest'
import { compactionTests } from './compaction-tests.ts'
import { conversationTests } from './conversation-tests.ts'
import { killedWorkerTests } from './killed-worker-tests.ts'
import { startChatServer } from './start-chat-server.ts'

const servers = { Redis: redisServer, PostgreSQL: postgresServer }
const suites = { conversationTests, compactionTests, killedWorkerTests }

describe.each(Object.entries(servers))('on %s', (_name, serve) => {
  describe.each(Object.entries(suites))('%s', (_suite, addTests) => {
    let stop = async () => {}
    afterAll(() => stop())
    addTests(async (options = []) => {
      const server = await serve()
      stop = () => server.stop()
      return startChatServer(['--memory', server.url, ...options])
    })
  })
})
