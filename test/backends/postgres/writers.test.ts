import { expect, test } from 'vitest'
import { freshSchema, onServer, turns } from './on-server.ts'

const on = onServer()

test.each([
  [32, 1],
  [64, 64],
])('%i writers on %i sessions leave no gap and lose nothing', async (writers, sessions) => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2].map(() => on.open(schema, { timeout: 30_000 })))
  const each = 20
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const memory = memories[writer % 2]
      for (let turn = 0; turn < each; turn++) {
        await memory?.addMessages(`s${writer % sessions}`, turns(turn % 3 === 0 ? 2 : 1, writer * 1000 + turn * 2))
      }
    }),
  )
  const perWriter = each + Math.ceil(each / 3)
  for (let session = 0; session < sessions; session++) {
    const entries = await memories[0]?.getEntries(`s${session}`)
    const count = (writers / sessions) * perWriter
    expect(entries?.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  }
  expect((await memories[1]?.verify())?.ok).toBe(true)
})

test('postgres.3: appends, rollbacks, trims, compactions, deletions and sweeps at once end, and nothing deadlocks', async () => {
  const schema = freshSchema()
  const memories = await Promise.all([1, 2, 3].map(() => on.open(schema, { timeout: 30_000, ttl: 60_000 })))
  const deadlocks = 'SELECT sum(deadlocks)::integer AS count FROM pg_stat_database'
  const before = await on.ask(deadlocks)
  await Promise.all(
    memories.flatMap((memory, worker) =>
      Array.from({ length: 8 }, async (_, lane) => {
        for (let turn = 0; turn < 12; turn++) {
          const session = `s${(turn + lane) % 3}`
          switch ((worker + lane + turn) % 7) {
            case 0: {
              const { id } = await memory.saveSnapshot(session)
              await memory.rollbackToSnapshot(session, id).catch(expectGone)
              break
            }
            case 1:
              await memory.trim(session, { maxEntries: 5 })
              break
            case 2:
              await memory.compact(session, { keep: 2, summarise: async () => ({ text: 'so far' }) })
              break
            case 3:
              if (turn % 6 === 0) await memory.deleteSession(session)
              else await memory.sweep()
              break
            default:
              await memory.addMessages(session, turns(3, turn))
          }
        }
      }),
    ),
  )
  expect((await memories[0]?.verify())?.ok).toBe(true)
  expect(await on.ask(deadlocks)).toEqual(before)
})

/** The session, and the snapshot with it, may have been deleted by another. */
function expectGone(error: unknown): void {
  expect(error).toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
}

test('a retry of an erased or expired session is known, and does not bring it back', async () => {
  const memory = await on.open(freshSchema(), { ttl: 300 })
  const written = await memory.addMessages('s', turns(1), { operationId: 'o' })
  await memory.deleteSession('s')
  expect(await memory.addMessages('s', turns(1), { operationId: 'o' })).toEqual(written)
  await memory.addMessages('t', turns(1), { operationId: 'o' })
  await expect.poll(() => memory.sessionInfo('t')).toBe(null)
  await memory.sweep()
  await memory.addMessages('t', turns(1), { operationId: 'o' })
  expect(await memory.sessionInfo('t')).toBe(null)
  await expect(memory.addMessages('t', turns(2), { operationId: 'o' })).rejects.toMatchObject({
    code: 'OPERATION_CONFLICT',
  })
})
