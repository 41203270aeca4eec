import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { postgresServer, redisServer } from '../../../src/testing/servers/index.ts'
import { compareWithMemorySaver } from './compare-savers.ts'
import { scenarios } from './scenarios.ts'

test.each([
  ['Redis', () => redisServer()],
  ['a Redis cluster', () => redisServer({ cluster: true })],
  ['PostgreSQL', () => postgresServer()],
] as const)('on %s, each graph goes step by step as with MemorySaver', async (_name, start) => {
  const server = await start()
  onTestFinished(() => server.stop())
  for (const scenario of scenarios) {
    const prefix = `${scenario.name}:`
    await compareWithMemorySaver(scenario, () => UnforgetSaver.fromUrl(server.url, { prefix }))
  }
  const saver = await UnforgetSaver.fromUrl(server.url)
  expect(await saver.memory.verify()).toMatchObject({ ok: true, sessions: scenarios.length })
  await saver.close()
})
