import { MemoryStoreBackendError, misuse } from '../../core/errors.ts'
import { leastToOpen, untilItWorks } from '../../core/until-it-works.ts'
import { within } from '../../core/within.ts'
import { messageOf } from '../../plain/message-of.ts'
import type { RedisClient, RedisCluster } from './client.ts'
import { checkFormat } from './format-mark.ts'
import { guardClient } from './guard-client.ts'
import { Link } from './link.ts'
import { toBackendError } from './redis-error.ts'
import { readServerFacts, survivesPowerCut } from './server-facts.ts'
import { makeWire } from './wire.ts'

export interface RedisOptions {
  /** The prefix of every key; default `unforget`. Two prefixes are two memories. */
  prefix?: string | undefined
  /** `power`: refuses servers that do not sync every write to disk. By default, only `health` says what the server can lose. */
  durability?: 'power' | 'process' | undefined
  /** A write is acknowledged once this many replicas have it; if they do not have it in time, it rejects with `NOT_REPLICATED`. */
  waitForReplicas?: number | undefined
  /** Every write rejects with `READ_ONLY`. */
  readOnly?: boolean | undefined
  /**
   * The `timeout` of `MemoryStore`, in milliseconds; default 5,000. A connection without a response for half of it is reopened.
   * Opening may take as long, and at least ten seconds.
   */
  timeout?: number | undefined
}

/** Connects, and checks that the server meets the requirements and that no newer version wrote the memory, which the key `format` says. */
export async function openLink(
  target: string | RedisClient | RedisCluster,
  options: RedisOptions,
  format: string,
): Promise<Link> {
  const { timeout = 5000, waitForReplicas, durability } = options
  if (waitForReplicas !== undefined && !(Number.isInteger(waitForReplicas) && waitForReplicas >= 0)) {
    throw misuse('options.waitForReplicas: expected a whole number, 0 or more')
  }
  const opening = Math.max(timeout, leastToOpen)
  const deadline = performance.now() + opening
  const patience = opening / 2
  const link =
    typeof target === 'string'
      ? await connect(target, patience, deadline)
      : new Link(makeWire(target), patience, guardClient(target))
  try {
    if (durability === 'power') await requirePowerDurability(link, deadline)
    await untilItWorks(
      () => within(deadline - performance.now(), checkFormat(link, format, deadline), silent),
      (error) => toBackendError(error, 'no').retryable,
      deadline,
    )
    link.patience = timeout / 2
    return link
  } catch (error) {
    link.close()
    throw toBackendError(error, 'no')
  }
}

function silent(): Error {
  return new Error('the server does not respond')
}

async function connect(url: string, patience: number, deadline: number): Promise<Link> {
  if (URL.canParse(url) && new URL(url).search !== '') throw misuse('url: the only supported parameter is prefix')
  const { createClient, createCluster } = await importRedis()
  /** The client's own timeout comes after ours, because it does not check its socket once more. */
  const options = {
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2 * patience },
  }
  const quiet = <Client extends RedisClient | RedisCluster>(client: Client): Client => {
    guardClient(client)
    return client
  }
  const single = new Link(() => {
    const socket = { ...options.socket, reconnectStrategy: false as const }
    return makeWire(quiet(createClient({ ...options, url, socket }) as unknown as RedisClient))
  }, patience)
  try {
    const isInCluster = await untilItWorks(
      () => asksCluster(single, deadline),
      (error) => toBackendError(error, 'no').retryable,
      deadline,
    )
    if (!isInCluster) return single
  } catch (error) {
    single.close()
    throw cannotOpen(url, error)
  }
  single.close()
  let roots: readonly string[] = [url]
  let cluster: RedisCluster | undefined
  return new Link(() => {
    roots = [...new Set([...roots, ...knownNodes(url, cluster)])]
    const { username, password } = credentialsOf(url)
    const defaults = { ...options, ...(username && { username }), ...(password && { password }) }
    const rootNodes = roots.map((root) => ({ url: root }))
    const topologyRefreshOnReconnectionAttemptStrategy = 100
    cluster = quiet(
      createCluster({
        rootNodes,
        defaults,
        minimizeConnections: true,
        topologyRefreshOnReconnectionAttemptStrategy,
      }) as unknown as RedisCluster,
    )
    return makeWire(cluster)
  }, patience)
}

async function asksCluster(link: Link, deadline: number): Promise<boolean> {
  const [server] = await link.servers(deadline)
  return server !== undefined && (await readServerFacts(server)).isCluster
}

/** Every node last seen in the cluster: the one in the URL may be gone when we reconnect. */
function knownNodes(url: string, cluster: RedisCluster | undefined): string[] {
  return [...(cluster?.nodeByAddress?.keys() ?? [])].map((address) => {
    const node = new URL(url)
    node.host = address
    return node.href
  })
}

function credentialsOf(url: string): { username: string; password: string } {
  const { username, password } = new URL(url)
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

async function importRedis(): Promise<typeof import('redis')> {
  try {
    return await import('redis')
  } catch (cause) {
    throw new MemoryStoreBackendError('CANNOT_OPEN', 'memory on Redis needs its client: npm install redis', {
      applied: 'no',
      cause,
    })
  }
}

function cannotOpen(url: string, error: unknown): Error {
  const failed = toBackendError(error, 'no')
  if (!(failed instanceof MemoryStoreBackendError)) return failed
  const { host } = new URL(url)
  return new MemoryStoreBackendError('CANNOT_OPEN', `Redis at ${host} cannot be opened: ${messageOf(error)}`, {
    applied: 'no',
    cause: error,
    retryable: failed.retryable,
  })
}

async function requirePowerDurability(link: Link, deadline: number): Promise<void> {
  for (const server of await link.servers(deadline)) {
    const facts = await readServerFacts(server)
    if (survivesPowerCut(facts)) continue
    const how = facts.appendOnly ? `appendfsync ${facts.appendFsync ?? 'is unknown'}` : 'appendonly is off'
    throw new MemoryStoreBackendError(
      'CANNOT_OPEN',
      `durability 'power' needs a server with appendonly yes and appendfsync always; here ${how}`,
      { applied: 'no' },
    )
  }
}
