import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Backend, Lease } from '../../../../core/backend.ts'
import { SessionBusyError, TurnLostError } from '../../../../core/errors.ts'
import type { SessionMemory } from '../../../../core/session-memory.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'

const codeOf = (error: unknown) => (error as { code?: unknown }).code

type Turning = Required<Pick<Backend, 'takeTurn' | 'renewTurn' | 'endTurn'>>

/** The three methods, of a backend that is known to have them. */
function turning(sound: Backend): Turning {
  return {
    takeTurn: (...given) => (sound as Backend & Turning).takeTurn(...given),
    renewTurn: (...given) => (sound as Backend & Turning).renewTurn(...given),
    endTurn: (...given) => (sound as Backend & Turning).endTurn(...given),
  }
}

/** The same lease, forever. */
const forEver = (lease: Lease) => ({ ...lease, milliseconds: 1e9 })

/** Whether nobody holds the turn. */
async function isFree(sound: Backend, session: string, deadline: number): Promise<boolean> {
  const token = randomUUID()
  const freeIn = await turning(sound).takeTurn(session, { token, milliseconds: 1000 }, deadline)
  if (freeIn === null) await turning(sound).endTurn(session, token, deadline)
  return freeIn === null
}

const inTurn = new AsyncLocalStorage<string>()

/** Sessions whose turn could not be ended. */
const unreleased = new Set<string>()

/** What goes wrong among callers that take turns. */
export const turns: Goldfish[] = [
  {
    name: 'everybody-has-the-turn',
    breaks: ['turns.1'],
    story: 'Taking a turn writes a row that nobody checks. Two requests answer at once, and their messages mix.',
    backend: (sound, bowl) => ({
      async takeTurn(session, lease, deadline) {
        const last = shared(bowl, 'tokens', () => new Map<string, string>())
        const token = last.get(session)
        if (token !== undefined) await turning(sound).endTurn(session, token, deadline)
        last.set(session, lease.token)
        return turning(sound).takeTurn(session, lease, deadline)
      },
      renewTurn: async () => true,
      commit: (session, { ifTurn, ...change }, deadline) => sound.commit(session, change, deadline),
    }),
  },
  {
    name: 'one-turn-for-all-sessions',
    breaks: ['turns.1'],
    story: 'The lock has one key for the whole store. One slow conversation stops all others.',
    backend: (sound) => ({
      takeTurn: (_, lease, deadline) => turning(sound).takeTurn('all', lease, deadline),
      renewTurn: (_, lease, deadline) => turning(sound).renewTurn('all', lease, deadline),
      endTurn: (_, token, deadline) => turning(sound).endTurn('all', token, deadline),
      async commit(session, { ifTurn, ...change }, deadline) {
        if (
          ifTurn !== undefined &&
          !(await turning(sound).renewTurn('all', { token: ifTurn, milliseconds: 500 }, deadline))
        )
          throw new TurnLostError(session)
        return sound.commit(session, change, deadline)
      },
    }),
  },
  {
    name: 'the-last-one-in-goes-first',
    breaks: ['turns.2'],
    story: 'Waiting requests are a stack. In a busy conversation the oldest question is answered last, or never.',
    store(sound, bowl) {
      const stack = shared(bowl, 'stack', () => new Map<string, (() => void)[]>())
      return {
        async withTurn(session, run, options) {
          if (options !== undefined) return sound.withTurn(session, run, options)
          const waiting = stack.get(session)
          if (waiting === undefined) stack.set(session, [])
          else await new Promise<void>((resolve) => waiting.push(resolve))
          try {
            return await sound.withTurn(session, run, options)
          } finally {
            const next = stack.get(session)?.pop()
            if (next === undefined) stack.delete(session)
            else next()
          }
        },
      }
    },
  },
  {
    name: 'busy-and-answers-anyway',
    breaks: ['turns.2'],
    story: 'After waiting in vain, the handler gives up on the lock, but not on the answer.',
    store: (sound) => ({
      async withTurn(session, run, options) {
        try {
          return await sound.withTurn(session, run, options)
        } catch (error) {
          if (codeOf(error) !== 'SESSION_BUSY') throw error
          return run(sound.session(session), new AbortController().signal)
        }
      },
    }),
  },
  {
    name: 'a-turn-is-not-given-back',
    breaks: ['turns.3'],
    story: 'No turn is ever released. Everyone waits for the previous lease to end.',
    backend: () => ({ endTurn: async () => {} }),
  },
  {
    name: 'a-failed-turn-is-not-given-back',
    breaks: ['turns.3'],
    story: 'The lock is released after the answer. When the model fails, there is no answer.',
    backend: (sound, { shared: failed }) => ({
      endTurn: async (session, token, deadline) => {
        if (!failed.delete(`failed in ${session}`)) await turning(sound).endTurn(session, token, deadline)
      },
    }),
    store: (sound, { shared: failed }) => ({
      withTurn: (session, run, options) =>
        sound.withTurn(
          session,
          async (turn, signal) => {
            try {
              return await run(turn, signal)
            } catch (error) {
              if (codeOf(error) === undefined) failed.set(`failed in ${session}`, true)
              throw error
            }
          },
          options,
        ),
    }),
  },
  {
    name: 'a-fork-carries-the-token-along',
    breaks: ['turns.3'],
    story: 'Every write of a turn carries its token, even a fork into another session, where the token means nothing.',
    store: (sound) => ({
      withTurn: (session, run, options) =>
        sound.withTurn(
          session,
          (turn, signal) => {
            const fork: SessionMemory['fork'] = async (target) => {
              throw new TurnLostError(target)
            }
            return run(Object.assign(turn, { fork }), signal)
          },
          options,
        ),
    }),
  },
  {
    name: 'a-turn-is-not-renewed',
    breaks: ['turns.4'],
    story: 'The lock has a timeout, and the model takes longer than that. The next request walks in.',
    backend: () => ({ renewTurn: async () => true }),
  },
  {
    name: 'a-lease-never-ends',
    breaks: ['turns.5', 'turns.10'],
    story: 'A lock without a timeout. The worker that held it is gone, and the conversation is locked for good.',
    backend: (sound) => ({
      takeTurn: (session, lease, deadline) => turning(sound).takeTurn(session, forEver(lease), deadline),
      renewTurn: (session, lease, deadline) => turning(sound).renewTurn(session, forEver(lease), deadline),
    }),
  },
  {
    name: 'a-lost-turn-still-writes',
    breaks: ['turns.5'],
    story: 'The lock keeps others out until it expires. Nothing checks it when its old owner wakes up and writes.',
    backend: (sound) => ({
      commit: (session, { ifTurn, ...change }, deadline) => sound.commit(session, change, deadline),
    }),
  },
  {
    name: 'a-lost-turn-still-deletes',
    breaks: ['turns.5'],
    story: 'Every write checks the turn. Somebody thought that deleting the session was not a write.',
    backend: (sound) => ({
      erase: (session, { ifTurn, ...erasure }, deadline) => sound.erase(session, erasure, deadline),
    }),
  },
  {
    name: 'lost-only-when-taken-over',
    breaks: ['turns.5'],
    story: 'An expired turn may write while nobody else has it. Its writes land between two turns of others.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        try {
          return await sound.commit(session, change, deadline)
        } catch (error) {
          if (codeOf(error) !== 'TURN_LOST' || !(await isFree(sound, session, deadline))) throw error
          const { ifTurn, ...rest } = change
          return sound.commit(session, rest, deadline)
        }
      },
    }),
  },
  {
    name: 'a-lost-turn-reports-success',
    breaks: ['turns.5'],
    story: 'The turn was lost after its last write. The caller gets a success.',
    store: (sound) => ({
      async withTurn(session, run, options) {
        const results: unknown[] = []
        try {
          return await sound.withTurn(
            session,
            async (turn, signal) => {
              const result = await run(turn, signal)
              if (!signal.aborted) results.push(result)
              return result
            },
            options,
          )
        } catch (error) {
          if (codeOf(error) !== 'TURN_LOST' || results.length === 0) throw error
          return results[0] as never
        }
      },
    }),
  },
  {
    name: 'turn-before-operation',
    breaks: ['turns.6'],
    story:
      'The turn is checked before the operation is looked up. A retry after a pause fails, although the write was applied.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        const { ifTurn } = change
        if (ifTurn === undefined) return sound.commit(session, change, deadline)
        const { operation } = await sound.read(session, { operation: change.operation.id }, deadline)
        const isHeld = await turning(sound).renewTurn(session, { token: ifTurn, milliseconds: 500 }, deadline)
        if (operation !== null && !isHeld) throw new TurnLostError(session)
        return sound.commit(session, change, deadline)
      },
    }),
  },
  {
    name: 'a-turn-locks-everybody-out',
    breaks: ['turns.7'],
    story:
      'Writers without a turn are locked out while someone holds it. A background job fails while a model is thinking.',
    backend: (sound) => ({
      async commit(session, change, deadline) {
        if (change.ifTurn === undefined && !(await isFree(sound, session, deadline)))
          throw new SessionBusyError(session, 0)
        return sound.commit(session, change, deadline)
      },
    }),
  },
  {
    name: 'a-deletion-breaks-the-turn',
    breaks: ['turns.7'],
    story: 'The turn is stored with the session. Somebody deletes the session, and the holder loses its turn.',
    backend: (sound, bowl) => {
      const tokens = shared(bowl, 'tokens', () => new Map<string, string>())
      return {
        takeTurn(session, lease, deadline) {
          tokens.set(session, lease.token)
          return turning(sound).takeTurn(session, lease, deadline)
        },
        async erase(session, erasure, deadline) {
          const existed = await sound.erase(session, erasure, deadline)
          await turning(sound).endTurn(session, tokens.get(session) ?? '', deadline)
          return existed
        },
      }
    },
  },
  {
    name: 'a-turn-changes-the-version',
    breaks: ['turns.8'],
    story: 'The turn is a field of the session. Taking it changes the version, and every client has to read again.',
    backend: (sound) => ({
      async takeTurn(session, lease, deadline) {
        const freeIn = await turning(sound).takeTurn(session, lease, deadline)
        const { state } = await sound.read(session, {}, deadline)
        if (freeIn === null && state !== null)
          await sound.commit(session, { operation: { id: randomUUID(), digest: '' } }, deadline)
        return freeIn
      },
    }),
  },
  {
    name: 'a-turn-begins-a-session',
    breaks: ['turns.8'],
    story: 'The turn needs a row to lock, so it creates one: an empty conversation in the sidebar for every visitor.',
    backend: (sound) => ({
      async takeTurn(session, lease, deadline) {
        const { state } = await sound.read(session, {}, deadline)
        if (state === null) await sound.commit(session, { operation: { id: randomUUID(), digest: '' } }, deadline)
        return turning(sound).takeTurn(session, lease, deadline)
      },
    }),
  },
  {
    name: 'a-nested-turn-waits-for-itself',
    breaks: ['turns.9'],
    story: 'A tool takes the turn of the conversation that called it, and waits for it to end.',
    store: (sound, bowl) => ({
      withTurn: (session, run, options) =>
        inTurn.getStore() === session
          ? bowl.another().withTurn(session, run, options)
          : sound.withTurn(session, (turn, signal) => inTurn.run(session, async () => run(turn, signal)), options),
    }),
  },
  {
    name: 'a-turn-of-this-process-alone',
    breaks: ['turns.1', 'turns.10'],
    on: 'sqlite',
    story: 'The lock is a map in memory. With one worker every test is green; production has eight.',
    backend: (sound, bowl) => ({
      takeTurn: (session, lease, deadline) =>
        turning(sound).takeTurn(`${session} ${process.pid} ${bowl.location}`, lease, deadline),
      renewTurn: (session, lease, deadline) =>
        turning(sound).renewTurn(`${session} ${process.pid} ${bowl.location}`, lease, deadline),
      endTurn: (session, token, deadline) =>
        turning(sound).endTurn(`${session} ${process.pid} ${bowl.location}`, token, deadline),
      async commit(session, { ifTurn, ...change }, deadline) {
        const own = `${session} ${process.pid} ${bowl.location}`
        const { operation } = await sound.read(session, { operation: change.operation.id }, deadline)
        const lease = { token: ifTurn ?? '', milliseconds: 500 }
        if (ifTurn !== undefined && operation === null && !(await turning(sound).renewTurn(own, lease, deadline)))
          throw new TurnLostError(session)
        return sound.commit(session, change, deadline)
      },
      async erase(session, { ifTurn, ...erasure }, deadline) {
        const own = `${session} ${process.pid} ${bowl.location}`
        const lease = { token: ifTurn ?? '', milliseconds: 500 }
        if (ifTurn !== undefined && !(await turning(sound).renewTurn(own, lease, deadline)))
          throw new TurnLostError(session)
        return sound.erase(session, erasure, deadline)
      },
    }),
  },
  {
    name: 'a-killed-worker-keeps-its-turn',
    breaks: ['turns.10'],
    on: 'sqlite',
    story: 'The turn is freed when its process ends. A killed process never gets there.',
    backend: (sound) => ({
      takeTurn: (session, lease, deadline) =>
        turning(sound).takeTurn(session, lease.milliseconds > 300 ? forEver(lease) : lease, deadline),
      renewTurn: (session, lease, deadline) =>
        turning(sound).renewTurn(session, lease.milliseconds > 300 ? forEver(lease) : lease, deadline),
    }),
  },
  {
    name: 'a-stopped-worker-goes-on',
    breaks: ['turns.10', 'turns.5'],
    on: 'sqlite',
    story: 'A container is frozen for a minute. When it wakes up, it finishes its sentence in the middle of another.',
    backend: (sound) => ({
      commit: (session, { ifTurn, ...change }, deadline) => sound.commit(session, change, deadline),
    }),
  },
  {
    name: 'held-for-as-long-as-nobody-says-no',
    breaks: ['turns.11'],
    story: 'The network is down, so nobody can tell the holder that its turn is lost. It takes the silence for a yes.',
    between: (backend) => ({
      renewTurn: (...given) =>
        turning(backend)
          .renewTurn(...given)
          .catch(() => true),
    }),
  },
  {
    name: 'lost-with-the-first-hiccup',
    breaks: ['turns.11'],
    story: 'One renewal fails on the network, and a turn with ten seconds left is given up.',
    between: (backend) => ({
      renewTurn: (...given) =>
        turning(backend)
          .renewTurn(...given)
          .catch(() => false),
    }),
  },
  {
    name: 'an-answer-is-lost-with-its-lock',
    breaks: ['turns.11'],
    story: 'The answer is written, and releasing the lock fails. The caller gets the error and not the answer.',
    between: (backend) => ({
      async endTurn(...given) {
        try {
          await turning(backend).endTurn(...given)
        } catch (error) {
          unreleased.add(given[0])
          throw error
        }
      },
    }),
    store: (sound) => ({
      async withTurn(session, run, options) {
        const result = await sound.withTurn(session, run, options)
        if (unreleased.delete(session)) throw new Error('could not release the lock')
        return result
      },
    }),
  },
  {
    name: 'closing-leaves-them-waiting-for-an-answer',
    breaks: ['turns.12'],
    story: 'A store is closed with requests in its queue. They end as if they had been answered, with nothing.',
    store: (sound) => ({
      async withTurn(session, run, options) {
        let isCalled = false
        try {
          return await sound.withTurn(
            session,
            (turn, signal) => {
              isCalled = true
              return run(turn, signal)
            },
            options,
          )
        } catch (error) {
          if (codeOf(error) !== 'STORE_CLOSED' || isCalled) throw error
          return undefined as never
        }
      },
    }),
  },
]
