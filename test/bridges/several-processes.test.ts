import { join } from 'node:path'
import { test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bridges, replacing } from './bridges.ts'
import { killedWhileReplacing, twoProcessesTakeTurns } from './several-processes.ts'

const sqliteFile = async () => `sqlite:${join(await temporaryFolder(), 'agent.db')}`

test.each(bridges)('on SQLite, two processes take turns in one conversation of $name', async (bridge) =>
  twoProcessesTakeTurns(bridge, await sqliteFile(), 10),
)

test.each(replacing)(
  'on SQLite, killed while $name replaces the end, it has the old one or the new one',
  async (bridge) => killedWhileReplacing(bridge, await sqliteFile(), 3),
)
