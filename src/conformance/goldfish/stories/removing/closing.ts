import type { Goldfish } from '../../goldfish.ts'

const isClosed = (error: unknown) => (error as { code?: unknown }).code === 'STORE_CLOSED'

export const closing: Goldfish[] = [
  {
    name: 'closed-store-reads-as-empty',
    breaks: ['closing.1', 'closing.3'],
    story: 'After close there is nothing to read from, so an empty list is returned.',
    store: (sound) => ({
      getHistory: (session, options) =>
        sound.getHistory(session, options).catch((error) => {
          if (isClosed(error)) return Object.assign([], { version: null, epoch: null, seqs: [], overBudget: false })
          throw error
        }),
    }),
  },
  {
    name: 'closed-store-takes-writes',
    breaks: ['closing.1'],
    story: 'A turn that arrives during the shutdown is accepted and goes nowhere.',
    store: (sound) => ({
      recordToolCall: (session, toolCall, options) =>
        sound.recordToolCall(session, toolCall, options).catch((error) => {
          if (isClosed(error)) return { version: null, epoch: null, seq: 1 }
          throw error
        }),
    }),
  },
  {
    name: 'closed-store-is-well',
    breaks: ['closing.1'],
    story: 'health of a closed store says that all is well.',
    store: (sound) => ({
      health: () => sound.health().catch(() => ({ backend: 'memory', ok: true, warnings: [], details: {} })),
    }),
  },
  {
    name: 'close-cuts-off-what-is-under-way',
    breaks: ['closing.2'],
    story: 'SIGTERM, close, and the summary in progress is thrown away.',
    store: (sound) => {
      let isClosing = false
      return {
        async compact(session, options) {
          const summarize: typeof options.summarize = async (turns) => {
            const made = await options.summarize(turns)
            if (isClosing) throw new Error('the connection was closed')
            return made
          }
          return sound.compact(session, { ...options, summarize })
        },
        async close() {
          isClosing = true
          return sound.close()
        },
      }
    },
  },
  {
    name: 'close-does-not-wait',
    breaks: ['closing.2'],
    story: 'close resolves immediately and continues in the background, but the caller ends the process.',
    store: (sound) => ({
      async close() {
        sound.close().catch(() => {})
      },
    }),
  },
  {
    name: 'second-close-waits-for-nothing',
    breaks: ['closing.2'],
    story: 'Two shutdown hooks close the store. The second sees that it is being closed, and returns before it is.',
    store: (sound) => {
      let isClosing = false
      return {
        async close() {
          if (isClosing) return
          isClosing = true
          await sound.close()
        },
      }
    },
  },
  {
    name: 'second-close-throws',
    breaks: ['closing.2'],
    story: 'The pool is already closed, and says so with an error in the middle of the shutdown.',
    store: (sound) => {
      let times = 0
      return {
        async close() {
          times += 1
          const isSecond = times === 2
          await sound.close()
          if (isSecond) throw new Error('the pool was closed twice')
        },
      }
    },
  },
  {
    name: 'using-does-not-close',
    breaks: ['closing.3'],
    story: 'The disposer exists and does nothing.',
    store: () => ({ [Symbol.asyncDispose]: async () => {} }),
  },
]
