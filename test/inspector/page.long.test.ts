import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openMemory } from 'unforget'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/driver/open-database.ts'
import { requireFreshBuild } from '../support/fresh-build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { complaintsOf, useBrowser } from './support/browser.ts'
import { inspect } from './support/inspect.ts'
import { rollBackAndForth, tellStory } from './support/story.ts'

beforeAll(requireFreshBuild)

const openPage = useBrowser()

async function openStory() {
  const cwd = await temporaryFolder()
  const memory = await openMemory(`sqlite:${join(cwd, 'agent.db')}`)
  onTestFinished(() => memory.close())
  await tellStory(memory)
  return { cwd, memory }
}

test('with the keyboard alone: search, a session, a station, a comparison, a rollback', async () => {
  const { cwd, memory } = await openStory()
  for (let index = 0; index < 60; index++) await memory.addMessages(`other-${index}`, [{ content: 'x' }])
  const page = await openPage(await inspect('agent.db', cwd, ['--write']))
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await page.getByRole('link', { name: /other-0/ }).waitFor()
  await press('/')
  await page.keyboard.type('ORDER 1001')
  await page.getByText('Looked at 61 sessions').waitFor()
  await press('Tab', 'Enter')
  await page.getByText('I know nobody called Wang. (6)').waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  while (!(await focused()).startsWith('Snapshot Wang is served')) await press('Tab')
  await press('ArrowRight', 'ArrowLeft', 'Enter')
  await page.getByText('Showing Wang is served').waitFor()
  await press('ArrowRight', 'Shift+Enter')
  await page.getByText('2 entries only in B was here').waitFor()
  await press('ArrowLeft', 'Enter')
  await page.getByRole('button', { name: 'Roll back to this' }).waitFor()
  while ((await focused()) !== 'Roll back to this') await press('Tab')
  await press('Enter')
  await page.getByRole('dialog').getByText('Takes away 12 entries').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Roll back to this' }).focus()
  await press('Enter')
  await page.getByRole('dialog').getByText('Takes away 12 entries').waitFor()
  while ((await focused()) !== 'Roll back') await press('Tab')
  await press('Enter')
  await page.getByText('Rolled back;').waitFor()
  expect((await memory.getEntries('user-42')).length).toBe(7)
})

test('hostile content is shown as text, and nothing of it runs', async () => {
  const { cwd, memory } = await openStory()
  const evil = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
  const bidi = '\u202egnp.exe\u2066 \x1b[2J\0 end'
  const id = `"><b>${evil} ${bidi}`
  await memory.addMessages(id, [{ role: `<b>${evil}`, name: evil, content: `${evil}\n${bidi}` }], {
    owner: evil,
    title: `${evil} title ${bidi}`,
    metadata: { evil },
  })
  await memory.addMessages(id, [
    { role: 'user', content: 'x'.repeat(5_000_000) },
    { role: 'assistant', toolCalls: [{ id: evil, name: evil, arguments: { evil } }] },
    { role: 'user', content: [{ type: 'image', image: 'https://other.example/pixel.png', mediaType: evil }] },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400)}` } }] },
  ])
  await memory.addEntries(id, [{ kind: 'record', record: { type: evil, evil } }])
  await memory.saveSnapshot(id, { id: evil, label: `${evil} ${bidi}` })
  const page = await openPage(`${await inspect('agent.db', cwd, ['--write'])}#session=${encodeURIComponent(id)}`)
  const complaints = complaintsOf(page)
  await page.getByText('4,999,300 more characters').waitFor()
  await page.getByText(String.raw`\u{202e}gnp.exe\u{2066} \x1b[2J\x00 end`).first().waitFor()
  await page.getByText('300 bytes').waitFor()
  await page.getByText('4,999,300 more characters').click()
  await page.getByText('Show more: 4,998,000 characters left').click()
  await page.getByText('Show more: 4,932,464 characters left').waitFor()
  await page.getByRole('button', { name: 'JSON' }).first().click()
  await page.locator('.raw').getByText('"kind": "message"').waitFor()
  await page.getByRole('button', { name: /Snapshot/ }).click()
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await page.getByRole('button', { name: 'Describe' }).click()
  await page.getByRole('dialog').waitFor()
  const dom = await page.evaluate(
    `({ title: document.title, images: document.querySelectorAll('img, b, script:not([src])').length })`,
  )
  expect(dom).toEqual({ title: 'unforget', images: 0 })
  const text = await page.evaluate<string>('document.body.innerText')
  expect(/[\p{Cc}\p{Cf}]/u.test(text.replaceAll(/[\n\t]/g, ''))).toBe(false)
  expect(complaints).toEqual([])
})

test('a page of another origin gets nothing and changes nothing; nor does a wrong token or a wrong Host', async () => {
  const { cwd, memory } = await openStory()
  const address = await inspect('agent.db', cwd, ['--write'])
  const before = await memory.sessionInfo('user-42')
  const elsewhere = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>evil</p>'))
  await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', () => resolve(null)))
  onTestFinished(() => new Promise((resolve) => elsewhere.close(() => resolve())))
  elsewhere.unref()
  const page = await openPage(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
  const attack = { address, action: { action: 'delete', session: 'user-42', ifVersion: before?.version } }
  const got = await page.evaluate(async ({ address, action }) => {
    const url = new URL(address)
    const authorization = `Bearer ${url.searchParams.get('token')}`
    const tries = [
      fetch(`${url.origin}/api/sessions`, { headers: { authorization } }),
      fetch(`${url.origin}/api/sessions`),
      fetch(`${url.origin}/api/act`, { method: 'POST', body: JSON.stringify(action) }),
      fetch(`${url.origin}/api/act`, { method: 'POST', body: JSON.stringify(action), mode: 'no-cors' }),
      fetch(`${url.origin}/api/act`, {
        method: 'POST',
        body: JSON.stringify(action),
        headers: { authorization, 'content-type': 'application/json' },
      }),
    ]
    const results = await Promise.allSettled(tries)
    return results.map((result) => (result.status === 'rejected' ? 'failed' : result.value.type))
  }, attack)
  expect(got).toEqual(['failed', 'failed', 'failed', 'failed', 'failed'])
  expect(await memory.sessionInfo('user-42')).toEqual(before)

  const wrong = await page.goto(address.replace(/token=.*/, 'token=wrong'))
  expect(wrong?.status()).toBe(401)
  await page.getByText('use the address that unforget inspect printed').waitFor()
  const rebound = await page.goto(address.replace('127.0.0.1', 'evil.localhost'))
  expect(rebound?.status()).toBe(403)
  expect((await page.goto(address.replace('127.0.0.1', 'localhost')))?.status()).toBe(200)
})

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violationsOf(page: Page): Promise<string[]> {
  const found: unknown = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test.each([
  ['narrow and light', { width: 390, height: 844 }, 'light'],
  ['wide and dark', { width: 1280, height: 860 }, 'dark'],
  ['very wide and light', { width: 2560, height: 1400 }, 'light'],
  ['narrow and dark', { width: 390, height: 844 }, 'dark'],
] as const)('%s: nothing overflows, and axe finds nothing on any view', async (_, viewport, colorScheme) => {
  const { cwd, memory } = await openStory()
  await rollBackAndForth(memory)
  await memory.compact('user-42', { keep: 2, summarize: () => 'Wang asked for his order.' })
  const address = await inspect('agent.db', cwd, ['--write'])
  const page = await openPage(address, { viewport, colorScheme, bypassCSP: true })
  const views: [hash: string, ready: string][] = [
    ['#', '.session-rows a'],
    ['#session=user-42', '.turn'],
    ['#session=user-42&at=served', '.turn'],
    ['#session=user-42&at=served&with=b', '.side .turn'],
    ['#health=', '.table dt'],
    ['#session=nobody', '.failed'],
  ]
  for (const [hash, ready] of views) {
    await page.goto(`${address}${hash}`)
    await page.locator(ready).first().waitFor()
    expect(await violationsOf(page), hash).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, hash).toBeLessThanOrEqual(0)
  }
  const dark = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  expect(dark).toBe(colorScheme === 'dark' ? 'rgb(13, 19, 18)' : 'rgb(244, 246, 245)')
  await page.goto(`${address}#session=user-42&at=served`)
  for (const name of ['Roll back to this', 'Save snapshot', 'Describe', 'Expire', 'Delete', 'Fork this']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsOf(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

test('the drawing is a list of epochs with their stations', async () => {
  const { cwd, memory } = await openStory()
  await rollBackAndForth(memory)
  const page = await openPage(`${await inspect('agent.db', cwd)}#session=user-42`)
  const list = page.locator('.rows ol')
  await list.waitFor()
  const tree = await list.ariaSnapshot()
  expect(tree.replaceAll(/today \d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d/g, '<time>')).toMatchInlineSnapshot(`
    "- list:
      - listitem:
        - paragraph: began <time> . Epoch 1, reads entries 1-19.
        - list:
          - listitem:
            - button "Snapshot Wang is served , 7 entries up to entry 7, saved <time>"
          - listitem:
            - button "Snapshot B was here , 9 entries up to entry 9, saved <time>"
          - listitem:
            - button "Automatic snapshot left by a rollback , 19 entries up to entry 19, kept <time>"
      - listitem:
        - paragraph: rollback <time> . Epoch 2, which brought back Wang is served, reads entries 1-7.
        - list:
          - listitem:
            - button "Automatic snapshot left by a rollback , 7 entries up to entry 7, kept <time>"
      - listitem:
        - paragraph: rollback <time> . Epoch 3, which brought back left by a rollback, reads entries 1-19.
        - list:
          - listitem:
            - button "Automatic snapshot left by a rollback , 19 entries up to entry 19, kept <time>"
      - listitem:
        - paragraph: rollback <time> . Epoch 4, the present one, which brought back Wang is served, reads entries 1-7.
        - list:
          - listitem:
            - button "State now , 7 entries up to entry 7" [pressed]"
  `)
})

test('health: warnings, sizes, what a sweep would free, and what is damaged', async () => {
  const { cwd, memory } = await openStory()
  await memory.addMessages('fine', [{ role: 'user', content: 'hello' }])
  await memory.close()
  const database = openDatabase(join(cwd, 'agent.db'))
  database.prepare('DELETE FROM entries WHERE seq = 6').run()
  database.close()
  const page = await openPage(`${await inspect('agent.db', cwd)}#health=`)
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  await page.getByText('a sweep would free', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Verify everything' }).click()
  await page.getByText('entries 6 are missing').waitFor()
  await page.locator('.damage a').first().click()
  await page.getByText('MEMORY_LOST').waitFor()
})

test('a long conversation scrolls both ways, page by page, and the page holds a window of it', async () => {
  const { cwd, memory } = await openStory()
  const turns = Array.from({ length: 1000 }, (_, index) => ({ role: 'user', content: `turn ${index + 1}.` }))
  await memory.addMessages('long', turns)
  const page = await openPage(`${await inspect('agent.db', cwd)}#session=long`)
  await page.getByText('turn 1000.').waitFor()
  const shown = () => page.locator('.turn').count()
  const scroll = (to: 'up' | 'down') =>
    page.evaluate(`document.querySelector('.turns-box').scrollTop = ${to === 'up' ? 0 : 1e9}`)
  const reach = (text: string, to: 'up' | 'down') =>
    expect
      .poll(async () => {
        await scroll(to)
        return page.getByText(text, { exact: true }).count()
      })
      .toBe(1)
  await reach('turn 600.', 'up')
  expect(await shown()).toBeLessThanOrEqual(200)
  expect(await page.getByText('turn 1000.').count()).toBe(0)
  await reach('turn 1000.', 'down')
  expect(await shown()).toBeLessThanOrEqual(200)
  expect(await page.getByText('turn 600.').count()).toBe(0)
  await page.getByLabel('Go to entry').fill('300')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('turn 300.').waitFor()
  await page.getByRole('button', { name: 'First' }).click()
  await page.getByText('turn 1.', { exact: true }).waitFor()
  await reach('turn 100.', 'down')
})
