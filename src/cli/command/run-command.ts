import { MemoryStoreError } from '../../core/errors.ts'
import { messageOf } from '../../plain/message-of.ts'
import { visibleLine } from '../../plain/visible-text.ts'
import { Output, OutputClosed } from '../terminal/output.ts'

/** 0: done; 1: found something wrong; 2: could not run; 3: the kit itself failed; 4: not finished in time. */
export type ExitCode = 0 | 1 | 2 | 3 | 4

export interface CommonOptions {
  readonly json?: boolean
  readonly debug?: boolean
}

/** What every command gets. The signal ends it early; it then closes what it has open. */
export interface Context {
  readonly output: Output
  readonly signal: AbortSignal
  readonly json: boolean
}

/** Why a command could not run, in one sentence. */
export class CannotRun extends Error {}

class Interrupted extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs a command and sets the exit code of the process. A second Ctrl-C exits immediately. */
export async function runCommand(options: CommonOptions, work: (context: Context) => Promise<ExitCode>): Promise<void> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => {
    const exitCode = signals[name as keyof typeof signals]
    if (controller.signal.aborted) process.exit(exitCode)
    controller.abort(new Interrupted(exitCode))
  }
  for (const name of Object.keys(signals)) process.on(name, stop)
  const { signal } = controller
  try {
    process.exitCode = await work({ output: new Output(), signal, json: options.json ?? false })
  } catch (error) {
    process.exitCode = signal.aborted ? (signal.reason as Interrupted).exitCode : report(error, options.debug ?? false)
  } finally {
    for (const name of Object.keys(signals)) process.off(name, stop)
  }
}

/** Prints what went wrong in one sentence and returns the exit code. */
export function report(error: unknown, debug: boolean): number {
  if (error instanceof OutputClosed) return 0
  const message = messageOf(error)
  process.stderr.write(`unforget: ${visibleLine(message)}\n`)
  if (debug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  return MemoryStoreError.is(error) && error.code === 'MEMORY_LOST' ? 1 : 2
}
