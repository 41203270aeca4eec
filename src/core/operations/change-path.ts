import { checkConditions, foundHead } from '../advance.ts'
import type { Change, Reading, Want } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { publish } from '../diagnostics.ts'
import { MemoryStoreBackendError } from '../errors.ts'
import { conditionsOf, firstResult, makeOperation, type Operation } from '../operation.ts'
import { PathMoved } from '../path-reader.ts'
import { isSnapshotNotFound, isVersionConflict } from '../recognize-error.ts'
import { epochOf, pathTokenOf, versionOf } from '../session-state.ts'
import type { WriteOptions, Written } from '../types.ts'

/**
 * The change that an operation wants (`null`: none), and its result, which is kept for a repeated call. With `ifVersion` in the change, entries
 * appended since the read make the plan start over as well. Without a session, the change begins one.
 */
export interface Planned<A> {
  readonly change: Omit<Change, 'operation' | 'ifPath'> | null
  readonly answer: A
}

export interface Changed<A> extends Written {
  readonly answer: A
  /** The seq of the first entry appended. */
  readonly first: number
  /** The backend's time of the commit. */
  readonly at: number
  /** Whether this call changed anything. */
  readonly changed: boolean
  /** Whether the session that it was applied to was known to have ended. */
  readonly ended: boolean
}

/**
 * For operations that compute from what they read: reads, plans, commits under the path that was read, and starts over if what the plan depends
 * on changed meanwhile; the caller's conditions are checked each time. Appends don't change the path, so writers never starve such an operation.
 */
export async function changePath<A>(
  calls: Calls,
  session: string,
  method: string,
  { options, content, want = {} }: { options: WriteOptions; content: readonly unknown[]; want?: Want },
  plan: (reading: Reading) => Promise<Planned<A>>,
): Promise<Changed<A>> {
  const operation = makeOperation(method, options.operationId, content)
  let giveUp = performance.now() + calls.timeout
  const planUntimed = async (reading: Reading) => {
    const began = performance.now()
    const planned = await plan(reading)
    giveUp += performance.now() - began
    return planned
  }
  for (;;) {
    const reading = await calls.read(session, { ...want, ...(operation.given && { operation: operation.id }) })
    const done = repeated<A>(session, operation, reading)
    if (done !== null) return done
    checkConditions(session, foundHead(reading.state), conditionsOf(options))
    try {
      return await attempt(calls, session, operation, options.ifVersion, reading, planUntimed)
    } catch (error) {
      const moved =
        error instanceof PathMoved ||
        isVersionConflict(error) ||
        (isSnapshotNotFound(error) && reading.snapshot !== null)
      if (!moved) throw error
      if (performance.now() > giveUp) {
        throw new MemoryStoreBackendError('TIMEOUT', `${method}: the path kept changing for ${calls.timeout} ms`, {
          applied: 'no',
          retryable: true,
          cause: error,
        })
      }
      publish('conflict', { method, session })
    }
  }
}

function repeated<A>(session: string, operation: Operation, { operation: done }: Reading): Changed<A> | null {
  if (done === null) return null
  const { version, epoch, first, at, answer } = firstResult(session, operation, done)
  return { version, epoch, first, at, answer: JSON.parse(answer ?? 'null') as A, changed: false, ended: done.ended }
}

async function attempt<A>(
  calls: Calls,
  session: string,
  operation: Operation,
  ifVersion: WriteOptions['ifVersion'],
  reading: Reading,
  plan: (reading: Reading) => Promise<Planned<A>>,
): Promise<Changed<A>> {
  const { state } = reading
  const { change, answer } = await plan(reading)
  if (change === null && (state === null || !operation.given)) {
    return {
      version: state && versionOf(state),
      epoch: state && epochOf(state),
      first: 0,
      at: 0,
      answer,
      changed: false,
      ended: false,
    }
  }
  const {
    version,
    epoch,
    first,
    at,
    answer: kept,
  } = await calls.commit(session, {
    ...change,
    ...(ifVersion !== undefined && { ifVersion }),
    ...(state === null ? { ifVersion: null } : { ifPath: pathTokenOf(state) }),
    operation: { id: operation.id, digest: operation.digest, answer: JSON.stringify(answer) },
  })
  return { version, epoch, first, at, answer: JSON.parse(kept ?? 'null') as A, changed: change !== null, ended: false }
}
