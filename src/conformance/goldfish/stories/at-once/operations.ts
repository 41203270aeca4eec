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
    story:
      'Once a session is gone, only the ids of its operations are kept, so anything with such an id is mistaken for a retry.',
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
    story: 'The list of operations is capped at a hundred, and a busy session fills it before a retry arrives.',
    backend: (sound, { shared }) => renaming(sound, (session, id) => nameWithin(shared, session, id, 100)),
  },
  {
    name: 'remembers-one-operation-too-few',
    breaks: ['operations.5'],
    story: 'The oldest is dropped before the newest is written: 255 instead of the promised 256.',
    backend: (sound, { shared }) => renaming(sound, (session, id) => nameWithin(shared, session, id, 255)),
  },
  {
    name: 'unnamed-writes-push-named-ones-out',
    breaks: ['operations.5'],
    story:
      'Named and unnamed operations share a list of 300. A busy background job makes the store forget the requests.',
    backend: (sound, { shared }) => renaming(sound, (session, id) => nameWithin(shared, session, id, 300)),
  },
  {
    name: 'an-operation-forgets-what-it-added',
    breaks: ['operations.8'],
    story: 'The store knows that the request was answered, but not what the answer was.',
    store: (sound) => ({
      async operation(session, id) {
        const result = await sound.operation(session, id)
        return result && { ...result, entries: [] }
      },
    }),
  },
  {
    name: 'an-operation-is-read-off-the-path',
    breaks: ['operations.8'],
    story: 'The first answer was cut by a rewind. The request comes again, and the result is shorter than it was.',
    store: (sound) => ({
      async operation(session, id) {
        const result = await sound.operation(session, id)
        const seqs = new Set((await sound.getEntries(session)).map(({ seq }) => seq))
        return result && { ...result, entries: result.entries.filter(({ seq }) => seqs.has(seq)) }
      },
    }),
  },
  {
    name: 'an-operation-ends-at-the-end',
    breaks: ['operations.8'],
    story:
      'An operation owns all entries from its first seq on, so saving a snapshot seems to have added everything after it.',
    store: (sound) => ({
      async operation(session, id) {
        const result = await sound.operation(session, id)
        if (result === null || result.entries.length > 0) return result
        return { ...result, entries: (await sound.getEntries(session)).slice(-1), seqs: [1] }
      },
    }),
  },
  {
    name: 'an-operation-of-any-session',
    breaks: ['operations.8'],
    story: 'Results are found by their id alone. A request gets the answer of another conversation.',
    store: (sound, { shared }) => ({
      async addMessages(session, messages, options) {
        const added = await sound.addMessages(session, messages, options)
        if (options?.operationId !== undefined) shared.set(options.operationId, session)
        return added
      },
      async operation(session, id) {
        const other = shared.get(id)
        return (await sound.operation(session, id)) ?? (typeof other === 'string' ? sound.operation(other, id) : null)
      },
    }),
  },
  {
    name: 'a-swept-answer-is-empty',
    breaks: ['operations.9'],
    story: 'What the operation added was swept. It is reported as an operation that added nothing.',
    store: (sound) => ({
      async operation(session, id) {
        try {
          return await sound.operation(session, id)
        } catch (error) {
          if (codeOf(error) !== 'RESULT_GONE') throw error
          return { version: '', epoch: '', at: 0, seqs: [], entries: [] }
        }
      },
    }),
  },
  {
    name: 'an-operation-of-a-deleted-session-is-answered',
    breaks: ['operations.9'],
    story:
      'A session is deleted and an older copy is imported. A late retry gets what others have since written at those seqs.',
    backend: (sound) => forgettingEnds(sound),
  },
  {
    name: 'a-rewind-of-a-deleted-session-is-answered',
    breaks: ['operations.7'],
    story:
      'Logs are identified by the nonce they were created with, which an imported copy keeps. A rewind returns what it never cut.',
    backend: (sound) => ({
      ...forgettingEnds(sound),
      async read(session, want, deadline) {
        const reading = await forgettingEnds(sound).read(session, want, deadline)
        return { ...reading, state: reading.state && { ...reading.state, log: reading.state.birth } }
      },
      async snapshots(session, deadline) {
        const list = await sound.snapshots(session, deadline)
        return { ...list, state: list.state && { ...list.state, log: list.state.birth } }
      },
    }),
  },
  {
    name: 'late-retry-resurrects-a-deleted-session',
    breaks: ['operations.6', 'operations.4'],
    story: 'A delayed write arrives after the deletion, and the conversation that should be forgotten is back.',
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
      erase: (session, erasure, deadline) => sound.erase(session, { ...erasure, operation: randomUUID() }, deadline),
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
          return { version: null, epoch: null, removed: [], seqs: [], snapshot: null }
        }
      },
    }),
  },
]

/** A backend that does not say that the session of an operation has ended. */
function forgettingEnds(sound: Backend): Pick<Backend, 'read'> {
  return {
    async read(session, want, deadline) {
      const reading = await sound.read(session, want, deadline)
      return { ...reading, operation: reading.operation && { ...reading.operation, ended: false } }
    },
  }
}

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
