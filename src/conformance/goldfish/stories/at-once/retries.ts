import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { generations } from '../../helpers/generations.ts'

const withoutId = <T extends object>(options: T | undefined): T =>
  ({ ...options, operationId: undefined }) as unknown as T

export const retries: Goldfish[] = [
  {
    name: 'retry-writes-the-turn-twice',
    breaks: ['operations.1', 'operations.2', 'operations.3', 'operations.4', 'operations.5', 'operations.6'],
    story: 'The client times out, sends the turn again, and both are written.',
    store: (sound) => ({
      addMessages: (session, messages, options) => sound.addMessages(session, messages, withoutId(options)),
    }),
  },
  {
    name: 'retry-records-the-tool-call-twice',
    breaks: ['operations.1'],
    story: 'Messages are written once. Tool-call records came later, and nobody thought of retries.',
    store: (sound) => ({
      recordToolCall: (session, toolCall, options) => sound.recordToolCall(session, toolCall, withoutId(options)),
    }),
  },
  {
    name: 'retry-of-a-rollback-leaves-two-states',
    breaks: ['operations.1'],
    story: 'A rollback sent twice rolls back twice, and pushes out an older automatic snapshot.',
    store: (sound) => ({
      rollbackToSnapshot: (session, id, options) => sound.rollbackToSnapshot(session, id, withoutId(options)),
    }),
  },
  {
    name: 'retry-of-a-rewind-cuts-again',
    breaks: ['operations.1', 'operations.7'],
    story: 'A repeated rewind cuts what was said since.',
    store: (sound) => ({ rewind: (session, options) => sound.rewind(session, withoutId(options)) }),
  },
  {
    name: 'retry-of-a-fork-is-refused',
    breaks: ['operations.1'],
    story: 'The fork was made, its response was lost, and the retry is told that the session exists.',
    store: (sound) => ({ fork: (session, target, options) => sound.fork(session, target, { at: options?.at }) }),
  },
  {
    name: 'retry-while-the-first-is-under-way',
    breaks: ['operations.1'],
    story:
      'Operations are looked up before the write. An impatient client whose first try is still in progress writes twice.',
    races: 'operations.1/twice-at-once',
    store: (sound, { shared }) => ({
      async addMessages(session, messages, options) {
        const key = `${session} ${options?.operationId}`
        if (options?.operationId === undefined) return sound.addMessages(session, messages, options)
        if (shared.has(key)) return sound.addMessages(session, messages, withoutId(options))
        shared.set(key, true)
        return sound.addMessages(session, messages, options).finally(() => shared.delete(key))
      },
    }),
  },
  {
    name: 'retry-on-another-handle',
    breaks: ['operations.1'],
    story: 'Each handle remembers only its own operations. The load balancer sends the retry to another one.',
    store: (sound) => {
      const own = new Set<string>()
      return {
        async addMessages(session, messages, options) {
          const key = `${session} ${options?.operationId}`
          try {
            const isRetry = options?.operationId !== undefined && (await isKnown(sound, session, options.operationId))
            return await sound.addMessages(session, messages, isRetry && !own.has(key) ? withoutId(options) : options)
          } finally {
            own.add(key)
          }
        },
      }
    },
  },
  ...(['trim', 'clear', 'rollbackToSnapshot'] as const).map(
    (method): Goldfish => ({
      name: `${method === 'rollbackToSnapshot' ? 'rollback' : method}-forgets-what-was-done`,
      breaks: ['operations.2'],
      story: 'Operation ids are attached to the messages. When those are cut, a late retry writes them again.',
      store: (sound, bowl) => {
        const { forget, nameOf } = generations(bowl)
        return {
          addMessages: (session, messages, options) =>
            sound.addMessages(session, messages, { ...options, operationId: nameOf(session, options?.operationId) }),
          async [method](session: string, ...rest: unknown[]) {
            const call = sound[method] as (session: string, ...rest: unknown[]) => Promise<never>
            const result = await call.call(sound, session, ...rest)
            forget(session)
            return result
          },
        }
      },
    }),
  ),
  {
    name: 'version-before-operation',
    breaks: ['operations.3'],
    story: 'The retry of a successful write is rejected, because that write itself changed the version.',
    store: (sound) => ({
      async saveSnapshot(session, options) {
        if (options?.ifVersion !== undefined) await sound.addMessages(session, [], { ifVersion: options.ifVersion })
        return sound.saveSnapshot(session, options)
      },
      async addMessages(session, messages, options) {
        if (options?.ifVersion) await sound.addMessages(session, [], { ifVersion: options.ifVersion })
        return sound.addMessages(session, messages, options)
      },
    }),
  },
  {
    name: 'epoch-before-operation',
    breaks: ['operations.3'],
    story: 'A retry after a rollback is rejected by ifEpoch, and the agent believes that its turn was lost.',
    store: (sound) => ({
      async recordToolCall(session, toolCall, options) {
        if (options?.ifEpoch !== undefined) await sound.addMessages(session, [], { ifEpoch: options.ifEpoch })
        return sound.recordToolCall(session, toolCall, options)
      },
    }),
  },
]

async function isKnown(sound: FullStore, session: string, operationId: string): Promise<boolean> {
  const probe = sound.trim(session, { maxEntries: 1_000_000, operationId, ifVersion: 'none' })
  return probe.then(
    () => false,
    (error) => codeOf(error) === 'OPERATION_CONFLICT',
  )
}
