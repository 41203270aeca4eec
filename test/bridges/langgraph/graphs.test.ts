import { join } from 'node:path'
import { test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { compareWithMemorySaver } from './compare-savers.ts'
import { scenarios } from './scenarios.ts'

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s: each step as with MemorySaver, in a file that is opened anew',
  async (_name, scenario) => {
    const file = join(await temporaryFolder(), 'agent.db')
    await compareWithMemorySaver(scenario, () => UnforgetSaver.fromUrl(`sqlite:${file}`))
  },
)
