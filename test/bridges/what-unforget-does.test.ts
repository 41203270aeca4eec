import { join } from 'node:path'
import { describe, test } from 'vitest'
import { everyBackend } from '../backends/every-backend.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bridges } from './bridges.ts'
import { doEverything, useCommandLine } from './what-unforget-does.ts'

const { cases } = await everyBackend()

describe.each(cases)('on %s, what unforget does to sessions works on those of', (_name, open) => {
  test.each(bridges)('$name', async (bridge) => doEverything(bridge, (await open()).store))
})

test.each(bridges)('the command line shows, verifies and copies what $name stored', async (bridge) =>
  useCommandLine(bridge, `sqlite:${join(await temporaryFolder(), 'agent.db')}`),
)
