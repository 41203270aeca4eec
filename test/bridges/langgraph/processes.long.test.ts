import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { postgresServer, redisServer, type TestServer } from '../../../src/testing/servers/index.ts'
import { finish, startChild } from '../../support/child.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { Acknowledged } from './children/run-until-killed.ts'

const sqlite = async () => `sqlite:${join(await temporaryFolder(), 'agent.db')}`
const redis = () => urlOf(redisServer())
const postgres = () => urlOf(postgresServer())

async function urlOf(started: Promise<TestServer>): Promise<string> {
  const server = await started
  onTestFinished(() => server.stop())
  return server.url
}

test.each([
  ['SQLite', sqlite],
  ['Redis', redis],
  ['PostgreSQL', postgres],
] as const)('on %s, two processes with 50 turns each on one thread: 100 turns, none doubled', async (_name, open) => {
  const url = await open()
  const turns = 50
  const ends = ['one', 'two'].map((name) =>
    finish(startChild(new URL('./children/take-turns.ts', import.meta.url), { url, name, turns })),
  )
  for (const { code } of await Promise.all(ends)) expect(code).toBe(0)
  const saver = await UnforgetSaver.fromUrl(url)
  const tuple = await saver.getTuple({ configurable: { thread_id: 'shared' } })
  const verified = await saver.memory.verify(saver.sessionOf('shared'))
  await saver.close()
  const log = tuple?.checkpoint.channel_values['log'] as string[]
  expect(log).toHaveLength(200)
  expect(new Set(log).size).toBe(200)
  for (let at = 0; at < 200; at += 2) expect(log[at + 1]).toBe(`answer to ${log[at]}`)
  expect(verified.ok).toBe(true)
})

/** Is loaded, and waits for its turn. */
async function waiting(url: string): Promise<ChildProcess> {
  const child = startChild(new URL('./children/run-until-killed.ts', import.meta.url), { url })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

test.each([
  ['SQLite', 50, sqlite],
  ['Redis', 10, redis],
  ['PostgreSQL', 10, postgres],
] as const)(
  'on %s, killed %i times in a graph run: it resumes from what was acknowledged, and nothing acknowledged is lost',
  async (_name, kills, open) => {
    const url = await open()
    let next = waiting(url)
    let acknowledgedOnce = 0
    for (let kill = 0; kill < kills; kill++) {
      const child = await next
      if (kill + 1 < kills) next = waiting(url)
      const acknowledged: Acknowledged[] = []
      const closed = once(child, 'close')
      const isEnough = new Promise<void>((resolve) => {
        child.on('message', (message: Acknowledged) => {
          acknowledged.push(message)
          if (acknowledged.length > kill % 17) resolve()
        })
      })
      child.send('go')
      await isEnough
      child.kill('SIGKILL')
      await closed
      acknowledgedOnce += acknowledged.length
      await expectKept(url, acknowledged)
    }
    expect(acknowledgedOnce).toBeGreaterThan(kills)
  },
)

async function expectKept(url: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const saver = await UnforgetSaver.fromUrl(url)
  const thread = { thread_id: 'killed' }
  for (const one of acknowledged) {
    const tuple = await saver.getTuple({ configurable: { ...thread, checkpoint_id: one.checkpoint } })
    if (!('task' in one)) expect(tuple, `checkpoint ${one.checkpoint}`).toBeDefined()
    else if (tuple) {
      const channels = tuple.pendingWrites?.filter(([task]) => task === one.task).map(([, channel]) => channel)
      expect(channels).toEqual(one.channels)
    }
  }
  const newest = await saver.getTuple({ configurable: thread })
  const log = (newest?.checkpoint.channel_values['log'] ?? []) as string[]
  expect(log).toEqual(log.map((_, at) => `${Math.floor(at / 4)} ${['asked', 'a', 'b', 'c'][at % 4]}`))
  expect((await saver.memory.verify()).damage).toEqual([])
  await saver.close()
}
