import { join } from 'node:path'
import { openMemory } from 'unforget'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/driver/open-database.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { complaintsOf, useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'
import { tellStory } from './support/story.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()

test('every other action by clicks: it says what will change, changes nothing before, and then does it', async () => {
  const cwd = await temporaryFolder()
  const memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  onTestFinished(() => memory.close())
  await tellStory(memory)
  const chat = memory.session('user-42')
  const page = await openPage(`${await inspect('agent.db', cwd, ['--write'])}#session=user-42`)
  const complaints = complaintsOf(page)
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const turn = (seq: number) => page.locator(`li.turn[data-seq="${seq}"]`)
  const commit = async (verb: string, done: string) => {
    expect((await chat.sessionInfo())?.version).toBe(version)
    await dialog.getByRole('button', { name: verb, exact: true }).click()
    await page.getByText(done).waitFor()
    await dialog.waitFor({ state: 'detached' })
    version = (await chat.sessionInfo())?.version
  }
  let version = (await chat.sessionInfo())?.version

  await button('Save snapshot').click()
  await dialog.getByText('Saves the present state, 19 entries').waitFor()
  await dialog.getByLabel('Label').fill('found it')
  await commit('Save', 'Saved as "found it".')
  await page.getByRole('button', { name: /Snapshot found it/ }).waitFor()
  expect((await chat.listSnapshots()).map(({ label, entries }) => [label, entries])).toContainEqual(['found it', 19])

  await turn(18).getByRole('button', { name: 'Fork here' }).click()
  await dialog.getByText('Copies 18 entries, up to entry 18 into a new session').waitFor()
  await dialog.getByLabel('Id of the new session').fill('copy')
  await commit('Fork', 'Copied 18 entries into "copy".')
  expect((await memory.getEntries('copy')).at(-1)?.seq).toBe(18)
  expect((await chat.getEntries()).length).toBe(19)

  await turn(17).getByRole('button', { name: 'Rewind to here' }).click()
  await dialog.getByText('It reads 19 entries now, and will read 17 entries.').waitFor()
  await dialog.getByText('Takes away 2 entries').waitFor()
  await commit('Rewind', 'Rewound to entry 17: 2 cut')
  await page.getByRole('button', { name: /Snapshot before the rewind to #17/ }).waitFor()
  expect((await chat.getEntries()).at(-1)?.seq).toBe(17)

  await button('Describe').click()
  await dialog.getByText('Nothing changes yet.').waitFor()
  await dialog.getByLabel('Title').fill('Solved')
  await dialog.getByText('Changes the title.').waitFor()
  await commit('Change', 'Described.')
  await page.getByRole('heading', { name: 'Solved' }).waitFor()
  expect(await chat.sessionInfo()).toMatchObject({ title: 'Solved', owner: 'bookshop' })

  await button('Expire').click()
  await dialog.getByText('It expires never now.').waitFor()
  await dialog.getByLabel('some time after the last write').check()
  await dialog.getByText(/It will expire .*, or later if something is written/).waitFor()
  await commit('Set', 'The expiry is set.')
  await page.getByText('(1 day after a write)').waitFor()
  expect((await chat.sessionInfo())?.ttl).toBe(86_400_000)

  await button('Delete').click()
  await dialog.getByText('Erases the session: 17 entries that it reads, a log of 19 entries').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type “delete” to go on').fill('delete')
  await commit('Delete', 'Deleted, with all its snapshots.')
  await page.getByText('This session was deleted or has expired').waitFor()
  expect(await chat.sessionInfo()).toBe(null)
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
})

test('a damaged session is marked in the list, found by its id, and deleted only after a word was typed', async () => {
  const cwd = await temporaryFolder()
  const memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  onTestFinished(() => memory.close())
  await tellStory(memory)
  await memory.addMessages('fine', [{ role: 'user', content: 'hello' }])
  const database = openDatabase(join(cwd, 'agent.db'))
  database.exec("PRAGMA foreign_keys = OFF; DELETE FROM sessions WHERE id = 'user-42'")
  database.close()
  const page = await openPage(await inspect('agent.db', cwd, ['--write']))
  await page.getByRole('link', { name: 'fine' }).waitFor()
  await page.getByLabel('Search by id or title').fill('USER')
  await page.getByRole('link', { name: 'fine' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /user-42.*damaged: its state is lost/ }).click()
  await page.getByText('This session is damaged').waitFor()
  const erase = page.getByRole('button', { name: 'Delete what is left' })
  expect(await erase.isDisabled()).toBe(true)
  await page.getByLabel('Type “delete” to go on').fill('delete')
  expect((await memory.listSessions()).damaged).toEqual(['user-42'])
  await erase.click()
  await page.getByText('Deleted, with everything left of it.').waitFor()
  expect(await memory.listSessions()).toMatchObject({ sessions: [{ id: 'fine' }], damaged: [] })
})
