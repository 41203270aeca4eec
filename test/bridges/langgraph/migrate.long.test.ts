import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { onTestFinished, test } from 'vitest'
import { postgresServer } from '../../../src/testing/servers/index.ts'
import { expectMigration } from './migrate.ts'

test('threads of PostgresSaver are copied whole, and go on', async () => {
  const server = await postgresServer()
  const saver = PostgresSaver.fromConnString(server.url)
  onTestFinished(async () => {
    await saver.end()
    await server.stop()
  })
  await saver.setup()
  await expectMigration(saver)
})
