import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openMemory } from 'unforget'
import { beforeAll, expect, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'
import { tellStory } from './support/story.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()

/** What the page holds after everything that nobody needs is gone. */
async function heldBy(page: Page): Promise<{ nodes: number; listeners: number; heap: number }> {
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.enable')
  await client.send('HeapProfiler.collectGarbage')
  await client.send('Performance.enable')
  const { metrics } = await client.send('Performance.getMetrics')
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  await client.detach()
  return { nodes: metric('Nodes'), listeners: metric('JSEventListeners'), heap: metric('JSHeapUsedSize') }
}

test('an hour of being open, with turns and rollbacks coming in, leaves nothing behind', async () => {
  const cwd = await temporaryFolder()
  await using memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  await tellStory(memory)
  const address = await inspect('agent.db', cwd)
  const page = await openPage('about:blank')
  await page.clock.install()
  await page.goto(`${address}#session=user-42`)
  await page.getByText('I know nobody called Wang. (6)').waitFor()
  const after = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      const answered = page.waitForResponse(/api\/state\?/)
      await page.clock.runFor(1000)
      await answered
      if (second % 20 === 5) await memory.addMessages('user-42', [{ role: 'user', content: `second ${second}` }])
      if (second % 50 === 7) await memory.rollbackToSnapshot('user-42', 'served')
    }
    return await heldBy(page)
  }
  const early = await after(400)
  const late = await after(3200)
  console.log('held by the page after 400 and after 3,600 seconds', early, late)
  expect(late.nodes - early.nodes).toBeLessThan(1000)
  expect(late.listeners - early.listeners).toBeLessThan(200)
  expect(late.heap - early.heap).toBeLessThan(3_000_000)
})
