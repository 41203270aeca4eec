import type { FullStore } from '../../../case.ts'
import type { Goldfish } from '../../goldfish.ts'
import { shared } from '../../helpers/bowl.ts'
import { sessionWrites } from '../../helpers/session-writes.ts'

/** Turns on a page. */
const page = 1000

type Call = (...parameters: unknown[]) => Promise<unknown>
type Fault = { code?: string; applied?: string }

/** These methods, with their rejections transformed. */
function onError(
  sound: FullStore,
  methods: readonly (keyof FullStore & string)[],
  handle: (error: Fault, again: () => Promise<unknown>) => unknown,
): Partial<FullStore> {
  const ill = methods.map((name) => {
    const call = (...parameters: unknown[]) => (Reflect.get(sound, name) as Call).apply(sound, parameters)
    const method: Call = async (...parameters) =>
      call(...parameters).catch((error: Fault) => {
        if (error?.applied === undefined) throw error
        return handle(error, () => call(...parameters))
      })
    return [name, method] as const
  })
  return Object.fromEntries(ill) as Partial<FullStore>
}

/** What goes wrong only when the backend fails. */
export const faults: Goldfish[] = [
  {
    name: 'a-failed-write-is-swallowed',
    breaks: ['faults.1', 'faults.2', 'deadlines.1', 'deadlines.2'],
    story:
      'A timeout or an OOM reply of the server is logged and skipped. The write is gone, and the agent carries on.',
    store: (sound) => onError(sound, sessionWrites, () => ({ version: null, epoch: null, seqs: [] })),
  },
  {
    name: 'unknown-is-told-as-not-applied',
    breaks: ['faults.1', 'deadlines.1', 'deadlines.2'],
    story: 'Every failure is reported as "not written". The caller writes it again, and the turn is there twice.',
    store: (sound) =>
      onError(sound, sessionWrites, (error) => {
        throw Object.assign(new Error('the write failed'), error, { code: error.code, applied: 'no' })
      }),
  },
  {
    name: 'retried-without-an-id',
    breaks: ['faults.1', 'deadlines.1', 'faults.3'],
    story: 'After a timeout, the client writes the turn again as a new one. The first attempt had arrived.',
    seen: 'https://github.com/openai/openai-agents-python/issues/1699',
    store: (sound) =>
      onError(sound, ['addMessages'], (error, again) => {
        if (error.applied === 'unknown') return again()
        throw error
      }),
  },
  {
    name: 'every-attempt-is-a-write',
    breaks: ['deadlines.2'],
    story: 'The driver repeats a request that got no response, and the server cannot tell that it is the same one.',
    backend(sound, bowl) {
      const seen = shared(bowl, 'attempts', () => new Map<string, number>())
      return {
        commit(session, change, deadline) {
          const { id, digest } = change.operation
          const isUnnamed = digest === ''
          const isAgain = isUnnamed && seen.has(id)
          seen.set(id, (seen.get(id) ?? 0) + 1)
          const operation = isAgain ? { ...change.operation, id: `${id} ${seen.get(id)}` } : change.operation
          return sound.commit(session, { ...change, operation }, deadline)
        },
      }
    },
  },
  {
    name: 'the-deadline-is-that-of-the-server',
    breaks: ['faults.2'],
    story: 'The store waits as long as the server is silent, and so does the agent.',
    store: (sound) =>
      onError(sound, ['sessionInfo'], (error) => {
        if (error.code === 'TIMEOUT') return new Promise(() => {})
        throw error
      }),
  },
  {
    name: 'errors-without-a-code',
    breaks: ['faults.2', 'deadlines.1'],
    story: 'Driver errors are passed on: a message, no code, and nothing about what happened to the data.',
    store: (sound) =>
      onError(sound, ['addMessages', 'clear'], (error) => {
        throw new Error(`something went wrong: ${String(error)}`)
      }),
  },
  {
    name: 'broken-once-broken-forever',
    breaks: ['faults.3'],
    story: 'After the first failed call, the connection is marked as dead and never reopened.',
    store(sound) {
      let dead: unknown
      return {
        async addMessages(session, messages, options) {
          if (dead !== undefined) throw dead
          return sound.addMessages(session, messages, options).catch((error: Fault) => {
            if (error.applied !== undefined)
              dead = Object.assign(new Error('the connection is dead'), { ...error, applied: 'no' })
            throw error
          })
        },
      }
    },
  },
  {
    name: 'a-failed-read-is-an-empty-list',
    breaks: ['faults.4', 'faults.2'],
    story: 'The read fails, the handler returns an empty list, and the bot greets an old friend as a stranger.',
    store: (sound) => onError(sound, ['getHistory', 'getEntries', 'recall', 'listSnapshots'], () => []),
  },
  {
    name: 'half-a-page-is-enough',
    breaks: ['faults.4'],
    story: 'A long history is read page by page, and a page that fails is left out.',
    store: (sound) =>
      onError(sound, ['getHistory'], async (_, again) => {
        const history = (await again().catch(() => [])) as unknown[]
        return history.slice(-page)
      }),
  },
]
