import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../support/packed-project.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

test('the packed package runs the sample of the README, as plain JavaScript', async () => {
  const folder = await packedProject()
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, sample = ''] = readme.match(/^```ts\n(.*?)^```$/ms) ?? []
  await writeFile(join(folder, 'sample.mjs'), sample)
  for (let again = 1; again <= 2; again++) {
    const { stdout } = await run(process.execPath, ['sample.mjs'], { cwd: folder })
    expect(stdout).toContain("{ role: 'user', content: 'My name is Wang' }")
    expect(stdout).not.toContain('Bob')
  }
})

test('every file that the README links to is in the package', async () => {
  const unpacked = join(await packedProject(), 'node_modules', 'unforget')
  const readme = await readFile(join(unpacked, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g), ...readme.matchAll(/\bsrc(?:set)?="([^"]+)"/g)].map(
    ([, file = '']) => file,
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((file) => file.endsWith('.svg')).length).toBe(2)
  for (const file of links) await expect(access(join(unpacked, file)), file).resolves.toBeUndefined()
})

test('every entry point of the package can be imported', async () => {
  const folder = await packedProject({ also: ['vitest', '@langchain/core'] })
  const { exports: entries } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const specifiers = Object.keys(entries)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => `unforget${entry.slice(1)}`)
  const code = specifiers
    .map((specifier) => `console.log(Object.keys(await import('${specifier}')).length > 0)`)
    .join('\n')
  await writeFile(join(folder, 'all.mjs'), code)
  const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: folder })
  expect(stdout.trim().split('\n')).toEqual(specifiers.map(() => 'true'))
})
