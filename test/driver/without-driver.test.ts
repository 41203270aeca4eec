import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { redisServer } from 'unforget/testing/servers'
import { expect, onTestFinished, test } from 'vitest'
import { packedProject } from '../support/packed-project.ts'

const run = promisify(execFile)
const installed = fileURLToPath(new URL('../../node_modules/better-sqlite3', import.meta.url))

/** Where the package has no driver, or one without its binary. */
async function projectWith(driver: 'none' | 'not built', also: readonly string[] = []) {
  const folder = await packedProject({ without: ['better-sqlite3'], also })
  if (driver === 'not built') {
    const copy = join(folder, 'node_modules', 'better-sqlite3')
    for (const part of ['package.json', 'lib']) await cp(join(installed, part), join(copy, part), { recursive: true })
  }
  return async (code: string) => {
    await writeFile(join(folder, 'program.mjs'), code)
    return (await run(process.execPath, ['program.mjs'], { cwd: folder })).stdout.trim()
  }
}

const openFile = `
  import { openMemory, MemoryStoreBackendError } from 'unforget'
  const error = await openMemory('sqlite:x.db').catch((error) => error)
  console.log(error instanceof MemoryStoreBackendError, error.code, error.message)`

const openGolden = `
  import { diffDatabases, GoldenError } from 'unforget/golden'
  import { writeFileSync } from 'node:fs'
  const header = Buffer.concat([Buffer.from('SQLite format 3\\0'), Buffer.alloc(84)])
  for (const name of ['a.db', 'b.db']) writeFileSync(name, header)
  const error = await diffDatabases('a.db', 'b.db').catch((error) => error)
  console.log(error instanceof GoldenError, error.code, error.message)`

const command = 'npm (install|rebuild) better-sqlite3'

test.each(['none', 'not built'] as const)('driver %s: one sentence with the command that fixes it', async (driver) => {
  const say = await projectWith(driver)
  expect(await say(openFile)).toMatch(new RegExp(`^true CANNOT_OPEN .*run ${command}`))
  expect(await say(openGolden)).toMatch(new RegExp(`^true NO_DRIVER .*run ${command}`))
})

test('driver none: memory elsewhere needs it not, and every entry point can be imported', async () => {
  const server = await redisServer()
  onTestFinished(() => server.stop())
  const say = await projectWith('none', ['redis', 'vitest'])
  for (const url of ['memory:', server.url]) {
    const program = `
      import { openMemory } from 'unforget'
      for (const name of ['sqlite', 'golden', 'golden/vitest', 'conformance']) await import('unforget/' + name)
      const memory = await openMemory('${url}')
      await memory.addMessages('s', [{ role: 'user', content: 'hello' }])
      console.log((await memory.getHistory('s'))[0].content)
      await memory.close()`
    expect(await say(program)).toBe('hello')
  }
})
