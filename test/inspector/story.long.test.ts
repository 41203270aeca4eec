import { openMemory } from 'unforget'
import { beforeAll, expect, test } from 'vitest'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { complaintsOf, useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'
import { everyUrl } from './support/servers.ts'
import { tellStory } from './support/story.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()
const urls = await everyUrl()

test.each(urls)('on %s, the story of the demo is found and rolled back by clicks', async (_, makeUrl) => {
  const url = await makeUrl()
  await using memory = await openMemory(url)
  await tellStory(memory)
  const page = await openPage(await inspect(url, await temporaryFolder(), ['--write']))
  const complaints = complaintsOf(page)
  await page.getByRole('link', { name: /Where is order 1001/ }).click()
  await page.getByText('I know nobody called Wang. (6)').waitFor()

  await page.getByRole('button', { name: /Snapshot Wang is served/ }).click()
  await page.getByText('Showing Wang is served').waitFor()
  await page.getByText('I know nobody called Wang').first().waitFor({ state: 'detached' })
  await page.getByText('It is on its way, Wang').waitFor()
  await page.locator('.call summary').click()
  await page.getByText('#5 returned').waitFor()

  await page.getByRole('button', { name: /Snapshot B was here/ }).click({ modifiers: ['Shift'] })
  await page.getByText('2 entries only in B was here').waitFor()
  await page.getByText('I know nobody called Wang. (1)').waitFor()

  await page.getByRole('button', { name: /Snapshot Wang is served/ }).click()
  await page.getByRole('button', { name: 'Roll back to this' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It reads 19 entries now, and will read 7 entries.').waitFor()
  await dialog.getByText('Takes away 12 entries').waitFor()
  await dialog.getByText('I know nobody called Wang. (1)').waitFor()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Rolled back; the state before it is kept as an automatic snapshot.').waitFor()
  await page.getByRole('button', { name: /Automatic snapshot left by a rollback ?, 19 entries/ }).waitFor()
  await page.getByText('It is on its way, Wang').waitFor()

  expect((await memory.getEntries('user-42')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect((await memory.listSnapshots('user-42')).map(({ automatic, entries }) => [automatic, entries])).toEqual([
    [false, 7],
    [false, 9],
    [true, 19],
  ])
  expect(complaints).toEqual([])
})

test.each(urls)(
  'on %s, what another process writes appears, and its rollback redraws the paths',
  async (_, makeUrl) => {
    const url = await makeUrl()
    await using memory = await openMemory(url)
    await tellStory(memory)
    const page = await openPage(`${await inspect(url, await temporaryFolder())}#session=user-42`)
    await page.getByText('I know nobody called Wang. (6)').waitFor()
    await memory.addMessages('user-42', [{ role: 'user', content: 'Is anybody there?' }])
    await page.getByText('Is anybody there?').waitFor()
    await page.getByRole('link', { name: /Where is order 1001.*20 entries/ }).waitFor()
    await memory.rollbackToSnapshot('user-42', 'served')
    await page.getByText('which brought back Wang is served').waitFor({ state: 'attached' })
    await page.getByText('It is on its way, Wang').waitFor()
    await memory.addMessages('user-42', [{ role: 'user', content: 'Thank you' }])
    await page.getByText('Thank you').waitFor()
    await memory.deleteSession('user-42')
    await page.getByText('This session was deleted or has expired').waitFor()
    expect(await page.getByRole('button', { name: 'Roll back to this' }).count()).toBe(0)
  },
)

test.each(urls)('on %s, a stale page changes nothing and says so', async (_, makeUrl) => {
  const url = await makeUrl()
  await using memory = await openMemory(url)
  await tellStory(memory)
  const address = await inspect(url, await temporaryFolder(), ['--write'])
  const page = await openPage(`${address}#session=user-42&at=served`)
  await page.getByRole('button', { name: 'Roll back to this' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Takes away 12 entries').waitFor()
  await page.route(/api\/state\?/, (route) => route.abort())
  const asked = page.waitForRequest(/api\/act/)
  await memory.addMessages('user-42', [{ role: 'user', content: 'one more' }])
  const before = await memory.sessionInfo('user-42')
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ action: 'rollback', snapshot: 'served' })
  await dialog.getByText('The session changed since this was shown. Nothing was changed.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Roll back' }).isDisabled()).toBe(true)
  expect(await memory.sessionInfo('user-42')).toEqual(before)
})
