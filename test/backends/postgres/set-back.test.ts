import { test } from 'vitest'
import type { MemoryStore } from '../../../src/core/memory-store.ts'
import { expectSetBack, planted } from '../set-back.ts'
import { freshSchema, onServer } from './on-server.ts'

const on = onServer()

async function open(): Promise<{ memory: MemoryStore; set: (what: string) => Promise<unknown> }> {
  const schema = freshSchema()
  const memory = await on.open(schema)
  return { memory, set: (what) => on.ask(`UPDATE ${schema}.sessions SET ${what} WHERE id = 's'`) }
}

test.each([
  ['its end', 'last = 15'],
  ['its epoch', 'epoch = 1'],
  ['both, and its version', 'last = 15, epoch = 1, counter = counter - 1'],
])('loss.7: a session whose row was set back is lost for reads and writes: %s', async (_what, columns) => {
  const { memory, set } = await open()
  const version = await planted(memory)
  await set(columns)
  await expectSetBack(memory, version)
})
