import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { MemoryStoreBackendError, misuse } from '../../core/errors.ts'
import type { PgPool } from './client.ts'
import { guardPool } from './guard-pool.ts'

/** Where connections come from. */
export interface PoolSource {
  readonly pool: PgPool
  /** A connection of this pool hung, so the others may hang as well: from here on, new ones are opened. */
  renew(pool: PgPool): void
  close(): Promise<void>
}

const maxCloseMilliseconds = 500

/** Applies however short the deadlines of calls are. */
export const minConnectMilliseconds = 2000

const ignore = () => {}

/** The caller's own pool, which the caller ends. */
export function callersPool(pool: PgPool): PoolSource {
  const unguard = guardPool(pool)
  return { pool, renew: ignore, close: async () => unguard() }
}

/** Our own pool, with our own sockets, so that closing does not wait for a hung one. */
export async function ownPool(url: string, connections: number, timeout: number): Promise<PoolSource> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw misuse('url: expected a URL such as "postgres://127.0.0.1:5432/agents"')
  }
  const { Pool } = await importPg()
  const open = () => {
    const sockets = new Set<Socket>()
    const pool: PgPool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: Math.max(timeout / 2, minConnectMilliseconds),
      keepAlive: true,
      stream: () => {
        const socket = new Socket()
        sockets.add(socket)
        return socket.once('close', () => sockets.delete(socket))
      },
    })
    guardPool(pool)
    return { pool, sockets }
  }
  let current = open()
  const leaving = new Set<Promise<void>>()
  const leave = (left: ReturnType<typeof open>, milliseconds: number) => {
    const ending = closePool(left.pool, left.sockets, milliseconds).finally(() => leaving.delete(ending))
    leaving.add(ending)
  }
  return {
    get pool() {
      return current.pool
    },
    renew(pool) {
      if (pool !== current.pool) return
      leave(current, timeout)
      current = open()
    },
    async close() {
      leave(current, maxCloseMilliseconds)
      await Promise.all(leaving)
    },
  }
}

async function closePool(pool: PgPool, sockets: ReadonlySet<Socket>, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds
  pool.end().catch(ignore)
  while (sockets.size > 0 && performance.now() < deadline) await pause(2)
  for (const socket of sockets) socket.destroy()
}

async function importPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new MemoryStoreBackendError('CANNOT_OPEN', 'memory on PostgreSQL needs its client: npm install pg', {
      applied: 'no',
      cause,
    })
  }
}
