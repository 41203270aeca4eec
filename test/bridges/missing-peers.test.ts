import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../support/packed-project.ts'

const run = promisify(execFile)

const report = `
for (const name of ['ai-sdk', 'openai-agents', 'langchain']) {
  const outcome = await import('unforget/' + name).then(Object.keys, (error) => [error.code, error.message])
  console.log(name, ...outcome)
}
`

test('a bridge whose framework is missing says how to install it, and those that need only its types work without', async () => {
  const folder = await packedProject({ files: { 'report.mjs': report } })
  const { stdout } = await run(process.execPath, ['report.mjs'], { cwd: folder })
  expect(stdout.trim().split('\n')).toEqual([
    'ai-sdk UnforgetChat UnforgetChats loadChat',
    'openai-agents SuffixConflictError UnforgetSession',
    'langchain CANNOT_OPEN unforget/langchain needs LangChain: npm install @langchain/core (nothing was written)',
  ])
})
