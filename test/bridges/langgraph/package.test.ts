import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../../support/packed-project.ts'

const run = promisify(execFile)

test('without LangGraph, the import fails with the command that installs it', async () => {
  const folder = await packedProject({ also: [] })
  const program = `
    const error = await import('unforget/langgraph').catch((error) => error)
    console.log(error.code, error.message)`
  await writeFile(join(folder, 'program.mjs'), program)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder })
  expect(stdout).toMatch(
    /^CANNOT_OPEN .*npm install @langchain\/langgraph @langchain\/langgraph-checkpoint @langchain\/core \(nothing/,
  )
})
