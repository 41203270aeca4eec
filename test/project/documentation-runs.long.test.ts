import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { programs, root, writePrograms } from './documentation-blocks.ts'

const run = promisify(execFile)
const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href
const { fileOf } = writePrograms('documentation-runs')

test.each(programs.map((program) => [program.name, program] as const))(
  '%s runs, and prints what it says',
  async (_name, program) => {
    const { stdout } = await run(process.execPath, ['--import', tsx, fileOf(program)], { cwd: await temporaryFolder() })
    for (const [, promised] of program.code.matchAll(/console\.log\(.*\) \/\/ ([^:\n]+)/g)) {
      const oneLine = stdout.replaceAll(/\s+/g, ' ')
      expect(oneLine).toContain(promised?.trim())
    }
  },
)
