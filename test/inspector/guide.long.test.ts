import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()
const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run screenshots` names the folder; without it, no picture is taken. */
const pictures = process.env['SCREENSHOTS']

async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(root, pictures, `inspector-${name}.png`) })
}

/** The memory that the demo leaves. */
async function runDemo(): Promise<string> {
  const folder = await temporaryFolder()
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder }
  const args = ['--import', tsx, join(root, 'examples', 'demo', 'demo.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
  return /The memory stays in (.+)$/m.exec(stdout)?.[1] ?? ''
}

/** The steps of the guide, each with what it says is on the page. */
async function readSteps(): Promise<string[][]> {
  const page = await readFile(join(root, 'docs', 'inspector.md'), 'utf8')
  const steps = [...page.matchAll(/^\d\. (.+)$/gm)].map(([, step = '']) => step)
  return steps.map((step) => [...step.matchAll(/\*\*(.+?)\*\*/g)].map(([, words = '']) => words))
}

test('docs/inspector.md: every step of the guide shows what it says, on the file of the demo', async () => {
  const file = await runDemo()
  const address = await inspect(file, await temporaryFolder(), ['--write'])
  const page = await openPage(address, { viewport: { width: 1280, height: 800 }, timezoneId: 'UTC' })
  const station = (name: RegExp) => page.getByRole('button', { name })
  const actions = [
    () => page.getByRole('link', { name: /^user-42/ }).click(),
    () =>
      station(/Automatic snapshot/)
        .first()
        .click(),
    () => station(/Snapshot Wang is served/).click(),
    () => station(/Snapshot B was here/).click({ modifiers: ['Shift'] }),
    () => station(/Snapshot Wang is served/).click(),
  ]
  const steps = await readSteps()
  expect(steps.map((words) => words.length)).toEqual([3, 2, 2, 4, 2])
  for (const [index, words] of steps.entries()) {
    await actions[index]?.()
    for (const seen of words) await page.getByText(seen).first().waitFor()
    if (index !== 3) continue
    await takePicture(page, 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await takePicture(page, 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await station(/Roll back to this/).click()
  await page
    .getByRole('dialog')
    .getByText(/Nothing changes|Takes away/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await station(/Snapshot B was here/).click()
  await page.getByText('Showing B was here').waitFor()
  await station(/Roll back to this/).click()
  await page.getByRole('dialog').getByText('I know nobody called Wang. (1)').waitFor()
  await takePicture(page, 'rollback')
})
