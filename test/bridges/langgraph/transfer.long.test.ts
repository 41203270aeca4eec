import { expect, onTestFinished, test } from 'vitest'
import { postgresServer, redisServer } from '../../../src/testing/servers/index.ts'
import { unforget } from '../../cli/support/run-cli.ts'
import { expectMoved, waitingThread } from './transfer.ts'

test('a thread that waits for an answer goes from SQLite to Redis, PostgreSQL and back, and goes on there', async () => {
  const servers = [await redisServer(), await postgresServer()] as const
  onTestFinished(async () => {
    for (const server of servers) await server.stop()
  })
  const { cwd, file } = await waitingThread()
  const places = [file, ...servers.map(({ url }) => url), 'back.db']
  for (const [at, place] of places.slice(1).entries()) {
    const copied = await unforget(['copy', places[at] ?? '', place], { cwd })
    expect(copied).toMatchObject({ stderr: '', code: 0 })
  }
  for (const place of places.slice(1)) await expectMoved(cwd, place)
})
