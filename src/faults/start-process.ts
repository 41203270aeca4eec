import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { typeScriptLoader } from './type-script-loader.ts'

export interface ProcessOptions {
  /** Modules that the process is going to import, for those written in TypeScript. */
  readonly loads?: readonly URL[]
  /** It and all that it starts can be ended together, by the negative of its id; not on Windows. */
  readonly ownGroup?: boolean
}

/**
 * Starts a module in a process of its own, with a channel for messages over which bytes and `undefined` go as they are. What it prints to
 * stdout goes nowhere, what it prints to stderr is kept (`stderr`). It ends with this process.
 */
export function startProcess(module: URL, argument: unknown, options: ProcessOptions = {}): ChildProcess {
  const loader = typeScriptLoader(module, ...(options.loads ?? []))
  return spawn(process.execPath, [...loader, fileURLToPath(module), JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: options.ownGroup === true && process.platform !== 'win32',
  })
}
