import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import type { MemoryStore } from '../../../src/core/memory-store.ts'

/** LangGraph's validation kit, every test of it, on a memory that is empty for each saver. It expects the runner's functions as globals. */
export function validateOn(name: string, open: () => Promise<MemoryStore>): void {
  Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it })
  const initializer = {
    checkpointerName: `UnforgetSaver on ${name}`,
    createCheckpointer: async () => new UnforgetSaver(await open()),
    destroyCheckpointer: async ({ memory }: UnforgetSaver) => {
      await memory.deleteAllSessions()
      await memory.close()
    },
  }
  validate(initializer)
  deltaChannelHistoryTests(initializer)
}
