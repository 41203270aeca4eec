import { createHash, randomUUID } from 'node:crypto'
import type { Backend, EncodedEntry } from '../../../../core/backend.ts'
import { jsonOf } from '../../../../core/seal-entry.ts'
import type { Goldfish } from '../../goldfish.ts'
import { codeOf } from '../../helpers/code-of.ts'
import { generations } from '../../helpers/generations.ts'

/** A backend that looks up operations under another name. */
function renaming(sound: Backend, nameOf: (session: string, id: string) => string): Partial<Backend> {
  return {
    commit: (session, change, deadline) => {
      const operation = { ...change.operation, id: nameOf(session, change.operation.id) }
      return sound.commit(session, { ...change, operation }, deadline)
    },
    read: (session, want, deadline) => {
      const operation = want.operation === undefined ? undefined : nameOf(session, want.operation)
      return sound.read(session, operation === undefined ? want : { ...want, operation }, deadline)
    },
  }
}

/** A backend whose digest of what is appended sees less than there is. */
function digesting(of: (append: readonly EncodedEntry[]) => unknown): (sound: Backend) => Partial<Backend> {
  return (sound) => ({
    commit(session, change, deadline) {
      const isNamed = change.operation.digest !== '' && change.ifVersion !== null
      if (!change.append || change.path || !isNamed) return sound.commit(session, change, deadline)
      const seen = JSON.stringify([change.append[0]?.kind, of(change.append)])
      const digest = createHash('sha256').update(seen).digest('base64url')
      return sound.commit(session, { ...change, operation: { ...change.operation, digest } }, deadline)
    },
  })
}

export const operations: Goldfish[] = [
  {
    name: 'same-id-swallows-another-turn',
    breaks: ['operations.4'],
    story:
      'A client counts its ids from 1 after every restart. Its new turns are mistaken for retries and dropped, with success.',
    backend: digesting(() => ''),
  },
  {
    name: 'same-id-by-the-first-turn',
    breaks: ['operations.4'],
    story: 'A batch counts as the same if its first turn and its length match.',
    backend: digesting((append) => [
      append.length,
      append[0] && jsonOf(append[0]),
      append.map(({ bytes }) => [...(bytes ?? [])]),
    ]),
  },
  {
    name: 'same-id-by-the-beginning-of-the-text',
    breaks: ['operations.4'],
    story: 'The digest covers only the first kilobyte of each turn.',
    backend: digesting((append) => append.map((entry) => [jsonOf(entry).slice(0, 1024), [...(entry.bytes ?? [])]])),
  },
  {
    name: 'same-id-without-the-bytes',
    breaks: ['operations.4'],
    story: 'The digest covers the JSON, and the picture is not in the JSON.',
    backend: digesting((append) => append.map(jsonOf)),
  },
  {
    name: 'same-id-of-a-deleted-session',
    breaks: ['operations.4'],
    story: 'Of an operation whose session is gone, only the id is kept, so anything with that id is mistaken for it.',
    store: (sound, { shared }) => ({
      async addMessages(session, messages, options) {
        const key = `${session} ${options?.operationId}`
        try {
          const added = await sound.addMessages(session, messages, options)
          if (options?.operationId !== undefined) shared.set(key, added)
          return added
        } catch (error) {
          const first = shared.get(key) as typeof sound.addMessages extends (...a: never) => infer R
            ? Awaited<R>
            : never
          if (codeOf(error) !== 'OPERATION_CONFLICT' || (await sound.sessionInfo(session)) !== null) throw error
          return first
        }
      },
    }),
  },
  {
    name: 'remembers-a-hundred-operations',
    breaks: ['operations.5'],
    story: 'The list of operations is capped at a hundred, and a busy session turns it over within a retry.',
    backend: (sound, { shared }) => renaming(sound, (session, id) => nameWithin(shared, session, id, 100)),
  },
  {
    name: 'remembers-one-operation-too-few',
    breaks: ['operations.5'],
    story: 'The oldest is dropped before the newest is written: 255 instead of the promised 256.',
    backend: (sound, { shared }) => renaming(sound, (session, id) => nameWithin(shared, session, id, 255)),
  },
  {
    name: 'late-retry-resurrects-a-deleted-session',
    breaks: ['operations.6', 'operations.4'],
    story: 'A delayed write arrives after the deletion, and the conversation that was to be forgotten is back.',
    backend: (sound, bowl) => {
      const { forget, nameOf } = generations(bowl)
      return {
        ...renaming(sound, (session, id) => nameOf(session, id) ?? id),
        async erase(session, operation, deadline) {
          forget(session)
          return sound.erase(session, operation, deadline)
        },
      }
    },
  },
  {
    name: 'a-deletion-that-does-not-know-itself',
    breaks: ['clearing.4'],
    story: 'The response to a deletion is lost. The retry finds nothing, and says that there never was a session.',
    backend: (sound) => ({
      erase: (session, _, deadline) => sound.erase(session, randomUUID(), deadline),
    }),
  },
  {
    name: 'late-retry-resurrects-an-expired-session',
    breaks: ['operations.6', 'operations.4'],
    story: 'Sweeping an expired session removes its operations, and the next retry creates it again.',
    store: (sound, bowl) => {
      const { forget, nameOf } = generations(bowl)
      return {
        addMessages: (session, messages, options) =>
          sound.addMessages(session, messages, { ...options, operationId: nameOf(session, options?.operationId) }),
        async expire(session, options) {
          if ('at' in options && Number(options.at) <= Date.now()) forget(session)
          return sound.expire(session, options)
        },
      }
    },
  },
  {
    name: 'swept-rewind-answers-with-nothing',
    breaks: ['operations.7'],
    story: 'A repeated rewind finds its entries swept and says that it cut nothing.',
    store: (sound) => ({
      async rewind(session, options) {
        try {
          return await sound.rewind(session, options)
        } catch (error) {
          if (codeOf(error) !== 'RESULT_GONE') throw error
          return { version: null, epoch: null, removed: [] }
        }
      },
    }),
  },
]

/** The id, or another one once it is not among the last `limit` of the session. */
function nameWithin(shared: Map<string, unknown>, session: string, id: string, limit: number): string {
  const of = (what: string) => {
    const key = `${what} of ${session}`
    if (!shared.has(key)) shared.set(key, new Map<string, number>())
    return shared.get(key) as Map<string, number>
  }
  const [known, forgotten] = [of('known'), of('forgotten')]
  const times = forgotten.get(id) ?? 0
  known.set(id, times)
  for (const oldest of known.keys()) {
    if (known.size <= limit) break
    known.delete(oldest)
    forgotten.set(oldest, (forgotten.get(oldest) ?? 0) + 1)
  }
  return times === 0 ? id : `${id} #${times}`
}
