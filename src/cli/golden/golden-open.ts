import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTemporaryFolder } from '../../golden/system/temporary-folder.ts'
import { CannotRun } from '../command/run-command.ts'

/** Writes a page to a new temporary file. It stays for a day: a browser may read it at any time. */
export function writePage(page: string): string {
  const file = join(makeTemporaryFolder('page'), 'golden.html')
  writeFileSync(file, page)
  return file
}

/** Opens a file in the browser named by BROWSER, or in the system's browser. */
export function openInBrowser(file: string): Promise<void> {
  const [command = '', ...args] = browser()
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, pathToFileURL(file).href], { detached: true, stdio: 'ignore' })
    child.once('error', () => reject(new CannotRun(`${command} could not be started: open ${file} yourself`)))
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

function browser(): string[] {
  const own = process.env['BROWSER'] ?? ''
  if (own !== '') return [own]
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}
