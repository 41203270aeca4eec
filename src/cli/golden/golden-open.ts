import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTemporaryFolder } from '../../golden/system/temporary-folder.ts'
import { openInBrowser } from '../command/open-in-browser.ts'

/** Writes a page to a new temporary file. It stays for a day: a browser may read it at any time. */
export function writePage(page: string): string {
  const file = join(makeTemporaryFolder('page'), 'golden.html')
  writeFileSync(file, page)
  return file
}

export function openPage(file: string): Promise<void> {
  return openInBrowser(pathToFileURL(file).href)
}
