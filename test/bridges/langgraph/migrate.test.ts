import { join } from 'node:path'
import { MemorySaver } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { expectMigration } from './migrate.ts'

test('threads of SqliteSaver are copied whole, and go on', async () => {
  await expectMigration(SqliteSaver.fromConnString(join(await temporaryFolder(), 'checkpoints.db')))
})

test('threads of a checkpointer that lists thread by thread are copied whole, and go on', async () => {
  await expectMigration(new MemorySaver())
})
