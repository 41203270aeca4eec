import { type Reply, textOf } from './reply.ts'
import type { Server } from './wire.ts'

/** What a server says of itself. */
export interface ServerFacts {
  readonly version: string
  readonly isCluster: boolean
  readonly isReplica: boolean
  readonly isReadOnly: boolean
  readonly replicas: number
  readonly evictionPolicy: string
  readonly memoryLimit: number
  readonly usedMemory: number
  readonly appendOnly: boolean
  /** `null` if the server does not say. */
  readonly appendFsync: string | null
}

export async function readServerFacts(server: Server): Promise<ServerFacts> {
  const info = new Map<string, string>()
  for (const line of textOf((await server.send(['INFO'])) as Reply).split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) info.set(line.slice(0, colon), line.slice(colon + 1))
  }
  const valkey = info.get('valkey_version')
  return {
    version: valkey === undefined ? `Redis ${info.get('redis_version') ?? '?'}` : `Valkey ${valkey}`,
    isCluster: info.get('cluster_enabled') === '1',
    isReplica: info.get('role') !== 'master',
    isReadOnly: info.get('role') !== 'master' && info.get('slave_read_only') !== '0',
    replicas: Number(info.get('connected_slaves') ?? 0),
    evictionPolicy: info.get('maxmemory_policy') ?? 'unknown',
    memoryLimit: Number(info.get('maxmemory') ?? 0),
    usedMemory: Number(info.get('used_memory') ?? 0),
    appendOnly: info.get('aof_enabled') === '1',
    appendFsync: await readAppendFsync(server),
  }
}

/** Some servers, among them hosted ones, do not let a client read their configuration. */
async function readAppendFsync(server: Server): Promise<string | null> {
  try {
    const reply = (await server.send(['CONFIG', 'GET', 'appendfsync'])) as Reply | Record<string, Reply>
    const value = Array.isArray(reply) ? reply[1] : Object.values(reply ?? {})[0]
    return value === undefined ? null : textOf(value)
  } catch (error) {
    if (error instanceof Error && /^(NOPERM|ERR) /.test(error.message)) return null
    throw error
  }
}

/** What can lose memory on this server, each in plain words. */
export function warningsOf(facts: ServerFacts): string[] {
  const warnings: string[] = []
  const { version, evictionPolicy, memoryLimit, appendOnly, appendFsync } = facts
  if (evictionPolicy !== 'noeviction') {
    const when = memoryLimit === 0 ? 'once a memory limit is set' : 'when its memory is full'
    warnings.push(
      `the server removes keys by itself ${when} (maxmemory-policy ${evictionPolicy}; noeviction keeps them)`,
    )
  }
  if (!appendOnly) {
    warnings.push('a restart of the server loses what was written since its last snapshot (appendonly is off)')
  } else if (appendFsync === null) {
    warnings.push('a power failure may lose acknowledged writes: the server does not reveal its appendfsync')
  } else if (appendFsync !== 'always') {
    const what = appendFsync === 'everysec' ? 'about the last second' : 'the last moments'
    warnings.push(`a power failure can lose ${what} of acknowledged writes (appendfsync ${appendFsync})`)
  }
  if (facts.isReplica)
    warnings.push('the server is a replica: what is written here is lost with its next synchronization')
  if (facts.isReadOnly) warnings.push('the server is read-only: every write will be rejected')
  if (facts.replicas > 0 || facts.isCluster) {
    warnings.push('a failover can lose acknowledged writes that had not reached the replica')
  }
  if (isTooOld(version)) warnings.push(`${version} is too old: unforget is tested on Redis 7.0 and later`)
  return warnings
}

function isTooOld(version: string): boolean {
  const [, name, major] = /^(\w+) (\d+)/.exec(version) ?? []
  return name === 'Redis' && Number(major) < 7
}

/** Whether an acknowledged write survives a power failure. */
export function survivesPowerCut({ appendOnly, appendFsync }: ServerFacts): boolean {
  return appendOnly && appendFsync === 'always'
}
