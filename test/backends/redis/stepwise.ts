import type { RedisClient, RedisCluster } from '../../../src/backends/redis/client.ts'

/** What happens to a command: it is sent after `before`, and its reply arrives after `after`. Either may throw. */
export interface Steps {
  before?(step: number): Promise<void> | void
  after?(step: number): Promise<void> | void
}

/** The client, with something in between its commands, which are counted from 1. */
export function stepwise<Client extends RedisClient | RedisCluster>(client: Client, steps: Steps): Client {
  let count = 0
  const sendCommand = async (...args: unknown[]) => {
    count += 1
    const step = count
    await steps.before?.(step)
    const reply = await (client.sendCommand as (...args: unknown[]) => Promise<unknown>)(...args)
    await steps.after?.(step)
    return reply
  }
  return new Proxy(client, {
    get(target, name) {
      if (name === 'sendCommand') return sendCommand
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Everything from this step on fails, as for a process that is killed: before it is sent, or before its reply arrives. */
export function killedAt(step: number, when: 'before' | 'after'): Steps {
  const fail = (now: number) => {
    if (now >= step) throw new Error('killed')
  }
  return when === 'before' ? { before: fail } : { before: (now) => fail(now - 1), after: fail }
}
