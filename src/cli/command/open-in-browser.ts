import { spawn } from 'node:child_process'
import { CannotRun } from './run-command.ts'

/** Opens a URL in the browser named by BROWSER, or in the system's browser. */
export function openInBrowser(url: string): Promise<void> {
  const [command = '', ...args] = browser()
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
    child.once('error', () => reject(new CannotRun(`${command} could not be started: open ${url} yourself`)))
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
