import type { Goldfish } from '../goldfish.ts'

/** The stories that this project began with. */
export const twoStories: Goldfish[] = [
  {
    name: 'rollback-wipes-the-snapshots',
    breaks: ['snapshots.2'],
    story:
      'A refactored rollback rebuilds the conversation and empties the table of snapshots. The next rollback finds nothing.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        for (const { id } of await sound.listSnapshots(session)) await sound.deleteSnapshot(session, id)
        return result
      },
    }),
  },
  {
    name: 'rollback-wipes-the-conversation',
    breaks: ['snapshots.1'],
    story: 'Instead of undoing what came after the snapshot, the rollback removes the whole history.',
    store: (sound) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        await sound.clear(session)
        return result
      },
    }),
  },
  {
    name: 'rollback-leaves-the-conversation',
    breaks: ['snapshots.1'],
    story: 'The rollback reports success and moves the pointer, but the reader ignores the pointer.',
    store: (sound, { shared }) => ({
      async rollbackToSnapshot(session, snapshot, options) {
        const result = await sound.rollbackToSnapshot(session, snapshot, options)
        shared.set(session, result)
        return result
      },
      async getHistory(session, options) {
        const last = shared.get(session) as { leftBehind: string; version: string | null } | undefined
        const now = (await sound.sessionInfo(session))?.version
        if (options !== undefined || last === undefined || last.version !== now)
          return sound.getHistory(session, options)
        return sound.getHistory(session, { at: last.leftBehind })
      },
    }),
  },
  {
    name: 'fire-and-forget',
    breaks: ['adding.8'],
    story:
      'The call returns before the write is done. Its own handle does not notice; every other handle reads stale data.',
    store: (sound, { shared }) => {
      let seen: unknown
      return {
        async addMessages(session, messages, options) {
          const added = await sound.addMessages(session, messages, options)
          if (options === undefined) shared.set(session, { by: sound, count: added.seqs.length })
          return added
        },
        async getHistory(session, options) {
          const history = await sound.getHistory(session, options)
          const last = shared.get(session) as { by: unknown; count: number } | undefined
          if (options !== undefined || last === undefined || last.by === sound || last === seen) return history
          seen = last
          history.splice(history.length - last.count)
          return history
        },
      }
    },
  },
  {
    name: 'decode-failure-reads-as-empty',
    breaks: ['values.1'],
    story:
      'A decoding error is caught, logged and returned as an empty list. The bot greets an old friend as a stranger.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        const isOdd = history.some(({ content }) => typeof content === 'string' && !content.isWellFormed())
        if (isOdd) history.length = 0
        return history
      },
    }),
  },
  {
    name: 'fields-lost-in-the-payload',
    breaks: ['values.2'],
    story: 'Another machine knows only four fields of a message and drops the rest.',
    store: (sound) => ({
      async getHistory(session, options) {
        const history = await sound.getHistory(session, options)
        for (const message of history) {
          for (const field of Object.keys(message)) {
            if (!['role', 'content', 'toolCalls', 'toolCallId'].includes(field)) delete message[field]
          }
        }
        return history
      },
    }),
  },
  {
    name: 'backend-error-swallowed',
    breaks: ['faults.1'],
    story: 'Redis answers OOM, the write is skipped with a line in the log, and the agent carries on.',
    store: (sound) => ({
      addMessages: (session, messages, options) =>
        sound.addMessages(session, messages, options).catch((error) => {
          if (error.applied === undefined) throw error
          return { version: null, epoch: null, seqs: messages.map((_, index) => index + 1) }
        }),
    }),
  },
]
