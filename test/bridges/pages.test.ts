import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { blocks } from '../project/documentation-blocks.ts'
import { packedProject } from '../support/packed-project.ts'

const run = promisify(execFile)

/** Follows a page: installs what it says, writes its first program, runs its commands one after the other, each in a process of its own. */
test.each(['openai-agents', 'ai-sdk', 'langchain'])('docs/bridges/%s.md does what it says', async (page) => {
  const own = blocks.filter(({ name }) => name.startsWith(`docs/bridges/${page}.md`))
  const [install, program, session] = ['text', 'ts', 'console'].map(
    (wanted) => own.find(({ language }) => language === wanted)?.code ?? '',
  )
  const [, packages = ''] = install?.match(/^npm install unforget (.*)$/m) ?? []
  const folder = await packedProject({ also: packages.split(' '), files: { 'chat.ts': program ?? '' } })
  let printed = ''
  for (const [, text = ''] of session?.matchAll(/^\$ node chat\.ts "(.*)"$/gm) ?? []) {
    const { stdout } = await run(process.execPath, ['chat.ts', text], { cwd: folder })
    printed += `$ node chat.ts "${text}"\n${stdout}`
  }
  expect(printed).toBe(session)
  expect(printed.match(/You first said: My name is Wang/g)).toHaveLength(2)
})
