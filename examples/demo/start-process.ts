import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Started {
  pid: number
  kill(): void
  /** Settles when the process is gone and everything it reported has been heard. */
  ended: Promise<Ending>
}

/**
 * Starts a script of this folder as a process of its own. It works in `folder`, where there is no tsconfig.json: tsx
 * would follow the `paths` of the repository's to the sources, and the demo is about the package as it is built.
 */
export function startProcess<Report>(script: string, folder: string, hear: (report: Report) => void): Started {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
    cwd: folder,
    execArgv: ['--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
  })
  child.on('message', (report) => hear(report as Report))
  // A report may still be on its way when the process has exited, so the end of the channel counts as well.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(([[code, signal]]) => ({
    code,
    signal,
  }))
  if (child.pid === undefined) throw new Error(`${script} did not start`)
  return { pid: child.pid, kill: () => child.kill('SIGKILL'), ended }
}
