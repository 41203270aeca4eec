import type { Goldfish } from './goldfish.ts'

/** The stories that this project began with. */
export const stories: Goldfish[] = [
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
]
