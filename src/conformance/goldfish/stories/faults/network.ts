import type { Backend } from '../../../../core/backend.ts'
import { MemoryStoreBackendError } from '../../../../core/errors.ts'
import { emptyReading } from '../../../../core/reading.ts'
import type { Goldfish } from '../../goldfish.ts'

/** Calls that a lost connection makes fail as if nothing had been sent. */
async function takenForNothing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MemoryStoreBackendError)) throw error
    throw new MemoryStoreBackendError('BACKEND_FAILED', error.message, { applied: 'no', cause: error })
  }
}

export const network: readonly Goldfish[] = [
  {
    name: 'a-lost-reply-is-a-lost-write',
    breaks: ['faults.1'],
    story:
      'The connection broke before the reply came, so the write is reported as not done. The server had executed it, and the agent says everything twice.',
    on: 'redis',
    backend: (sound: Backend) => ({
      commit: (session, change, deadline) => takenForNothing(sound.commit(session, change, deadline)),
      erase: (session, operation, deadline) => takenForNothing(sound.erase(session, operation, deadline)),
    }),
  },
  {
    name: 'a-lost-connection-is-an-empty-history',
    breaks: ['faults.4'],
    story:
      'The client catches network errors and returns its default, an empty list. The agent greets an old friend as a stranger.',
    on: 'redis',
    backend: (sound: Backend) => ({
      read: (session, want, deadline) =>
        sound.read(session, want, deadline).catch((error: unknown) => {
          if (error instanceof MemoryStoreBackendError) return emptyReading
          throw error
        }),
    }),
  },
  {
    name: 'never-comes-back',
    breaks: ['faults.3'],
    story:
      'The network failed once, for a moment. The client gave up permanently, and every turn since is rejected until somebody restarts the agent at 2 a.m.',
    on: 'redis',
    backend: (sound: Backend) => {
      const failures: MemoryStoreBackendError[] = []
      return {
        async commit(session, change, deadline) {
          if (failures[0]) throw failures[0]
          try {
            return await sound.commit(session, change, deadline)
          } catch (cause) {
            if (!(cause instanceof MemoryStoreBackendError)) throw cause
            const { applied, message } = cause
            failures.push(new MemoryStoreBackendError('BACKEND_FAILED', message, { applied, cause }))
            throw cause
          }
        },
      }
    },
  },
]
