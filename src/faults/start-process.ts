import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { typeScriptLoader } from './type-script-loader.ts'

export interface ProcessOptions {
  /** Modules that the process will import, in case they are TypeScript. */
  readonly loads?: readonly URL[]
  /** It and everything it starts can be killed together by its negated process id; not on Windows. */
  readonly ownGroup?: boolean
}

/**
 * Starts a module in its own process, with a message channel that carries bytes and `undefined` unchanged. What it prints to
 * stdout is discarded, what it prints to stderr is kept (`stderr`). It ends with this process.
 */
export function startProcess(module: URL, argument: unknown, options: ProcessOptions = {}): ChildProcess {
  const loader = typeScriptLoader(module, ...(options.loads ?? []))
  return spawn(process.execPath, [...loader, fileURLToPath(module), JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: options.ownGroup === true && process.platform !== 'win32',
  })
}
