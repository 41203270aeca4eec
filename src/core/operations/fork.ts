import type { Calls } from '../calls.ts'
import { SessionNotFoundError } from '../errors.ts'
import { makeOperation } from '../operation.ts'
import { PathReader } from '../path-reader.ts'
import type { Forked, ForkOptions } from '../types.ts'
import { beginSession } from './begin-session.ts'

/** Copies what a session, or one of its snapshots, reads into a session that does not exist yet, numbered anew from 1. */
export async function fork(calls: Calls, session: string, target: string, options: ForkOptions): Promise<Forked> {
  const { at, operationId } = options
  const operation = makeOperation('fork', operationId, [session, at])
  const done = operation.given ? (await calls.read(target, { operation: operation.id })).operation : null
  const append =
    done !== null
      ? []
      : await PathReader.use(calls, session, { at }, async (reader) => {
          if (reader.state === null) throw new SessionNotFoundError(session)
          const stored = await reader.stored(reader.ranges)
          reader.decode(stored)
          return stored.map(({ kind, format, body, bytes }) => ({ kind, format, body, bytes }))
        })
  const { id, digest } = operation
  const { version, epoch, count } = await beginSession(calls, target, { operation: { id, digest }, append })
  return { version, epoch, entries: count }
}
