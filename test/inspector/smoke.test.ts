import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openMemory } from 'unforget'
import { beforeAll, expect, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { complaintsOf, useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'
import { tellStory } from './support/story.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()

test('the whole page is at most 80 KB compressed', () => {
  const folder = fileURLToPath(new URL('../../dist/inspector/page', import.meta.url))
  const bytes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(80_000)
})

test('the page opens a session, shows a station, and follows another process', async () => {
  const cwd = await temporaryFolder()
  await using memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  await tellStory(memory)
  const page = await openPage(await inspect('agent.db', cwd))
  const complaints = complaintsOf(page)
  await page.getByRole('link', { name: /Where is order 1001/ }).click()
  await page.getByText('I know nobody called Wang. (6)').waitFor()
  await memory.addMessages('user-42', [{ role: 'user', content: 'Hello?' }])
  await page.getByText('Hello?').waitFor()
  await page.getByRole('button', { name: /Snapshot Wang is served/ }).click()
  await page.getByText('Showing Wang is served').waitFor()
  expect(await page.getByRole('button', { name: 'Roll back to this' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
