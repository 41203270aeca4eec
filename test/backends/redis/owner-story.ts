import { randomUUID } from 'node:crypto'
import { RedisBackend } from 'unforget/redis'
import { expect } from 'vitest'
import type { RedisClient, RedisCluster } from '../../../src/backends/redis/client.ts'
import type { Backend, Change } from '../../../src/core/backend.ts'
import { killedAt, type Steps, stepwise } from './stepwise.ts'

const soon = () => performance.now() + 60_000
const operation = () => ({ id: randomUUID(), digest: '' })
const append = [{ kind: 'message', format: 1, body: '{"role":"user","content":"hi"}', bytes: null }] as const
const about = (owner: string | null) => ({ owner, title: null, metadata: null })

/** What is done to a session `s` whose owner is, or shall be, `ann`. Each begins with what there was before. */
export const stories: Record<string, { before?: Change; run: (backend: Backend) => Promise<unknown> }> = {
  begin: { run: (backend) => backend.commit('s', { operation: operation(), append, begin: about('ann') }, soon()) },
  describe: {
    before: { operation: operation(), append, begin: about('bob') },
    run: (backend) => backend.commit('s', { operation: operation(), describe: { owner: 'ann' } }, soon()),
  },
  erase: {
    before: { operation: operation(), append, begin: about('ann') },
    run: (backend) => backend.erase('s', { operation: randomUUID() }, soon()),
  },
  'come and go': {
    run: async (backend) => {
      await backend.commit('s', { operation: operation(), append, begin: about('ann') }, soon())
      await backend.erase('s', { operation: randomUUID() }, soon())
    },
  },
  'begin again': {
    before: { operation: operation(), append, begin: about('ann') },
    run: async (backend) => {
      await backend.erase('s', { operation: randomUUID() }, soon())
      await backend.commit('s', { operation: operation(), append, begin: about('ann') }, soon())
    },
  },
}

const owners = ['ann', 'bob']

/** The lists say exactly whose each session is. */
async function expectListed(backend: Backend, what: string): Promise<void> {
  const { about: found } = await backend.read('s', { about: true }, soon())
  for (const owner of owners) {
    const { sessions } = (await backend.sessionsOf?.(owner, null, 10, soon())) ?? expect.fail()
    expect(
      sessions.map(({ id }) => id),
      `${what}: ${owner}`,
    ).toEqual(found?.owner === owner ? ['s'] : [])
  }
}

/** Kills whoever runs a story at every step of it, before it is sent and before its reply arrives; returns how many steps there were. */
export async function killAtEveryStep(client: RedisClient | RedisCluster, name: string): Promise<number> {
  const { before, run } = stories[name] ?? expect.fail()
  for (let step = 1; ; step++) {
    let isThrough = true
    for (const when of ['before', 'after'] as const) {
      const prefix = `kill-${name}-${step}-${when}`
      const survivor = await RedisBackend.open(client, { prefix })
      if (before) await survivor.commit('s', before, soon())
      const killed = await openStepwise(client, prefix, killedAt(step, when))
      const outcome = await run(killed).then(
        () => 'done',
        () => 'killed',
      )
      if (outcome === 'killed') isThrough = false
      await expectListed(survivor, `${when} step ${step}`)
      await run(survivor).catch(() => {})
      await expectListed(survivor, `${when} step ${step}, and again`)
    }
    if (isThrough) return step - 1
  }
}

/** Runs one story in the middle of another, at every step of that. */
export async function meetAtEveryStep(
  client: RedisClient | RedisCluster,
  name: string,
  other: string,
): Promise<number> {
  const { before, run } = stories[name] ?? expect.fail()
  for (let at = 1; ; at++) {
    const prefix = `meet-${name}-${other}-${at}`
    const survivor = await RedisBackend.open(client, { prefix })
    if (before) await survivor.commit('s', before, soon())
    let met = false
    const meeting = await openStepwise(client, prefix, {
      async before(step) {
        if (step !== at) return
        met = true
        await (stories[other] ?? expect.fail()).run(survivor)
      },
    })
    await run(meeting)
    await expectListed(survivor, `before step ${at}`)
    if (!met) return at - 1
  }
}

/** The steps are counted from when it is open. */
async function openStepwise(client: RedisClient | RedisCluster, prefix: string, steps: Steps): Promise<Backend> {
  let opening = Number.POSITIVE_INFINITY
  let sent = 0
  const counting = stepwise(client, {
    before(step) {
      sent = step
      return step > opening ? steps.before?.(step - opening) : undefined
    },
    after: (step) => (step > opening ? steps.after?.(step - opening) : undefined),
  })
  const backend = await RedisBackend.open(counting, { prefix })
  opening = sent
  return backend
}
