import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { findChromium } from './find-chromium.ts'

/** Chromium for the tests of a file, and how to open a page in it. */
export function useBrowser(): (url: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Promise<Browser> | undefined
  afterAll(async () => (await browser)?.close())
  return async (url, options = {}) => {
    browser ??= launch()
    const context = await (await browser).newContext({ viewport: { width: 1280, height: 860 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    await page.goto(url)
    return page
  }
}

export function launch(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  return chromium.launch({
    executablePath: findChromium(),
    args: [...asRoot, ...quiet, '--disable-component-update', '--disable-sync'],
  })
}

/** Everything that the page complains about: errors, refused content, requests to other hosts. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  const { origin } = new URL(page.url())
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(request.url())
  })
  return complaints
}
