import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typeScriptLoader } from '../../../faults/type-script-loader.ts'
import { messageOf } from '../../../plain/message-of.ts'
import { CannotProve } from '../../cannot-prove.ts'
import { type Description, type HostArgument, type Looked, lookedFile } from '../host-protocol.ts'
import { runFolder } from './run-folder.ts'

/** Time to start the process and load the module, in addition to the deadline of a case, in milliseconds. */
const loadsWithin = 10_000

/** What a store offers, for test runners that need all tests up front. Throws `CannotProve`. */
export function lookSync(module: URL, deadline: number): Description {
  using folder = runFolder()
  const argument: HostArgument & { deadline: number } = { module: module.href, folder: folder.path, deadline }
  const args = [...loaderFor(module), fileURLToPath(lookProcess.href), JSON.stringify(argument)]
  const { stderr, error, status, signal } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 2 * deadline + loadsWithin,
    killSignal: 'SIGKILL',
  })
  const looked = read(join(folder.path, lookedFile))
  if (looked?.description) return looked.description
  if (looked) throw new CannotProve('store', looked.problem)
  const isLate = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  const why = isLate
    ? `did not end within ${(deadline + loadsWithin) / 1000} s`
    : `the process ended ${signal === null ? `with exit code ${status}` : `by ${signal}`}: ${stderr.trim().slice(-1000)}`
  throw new CannotProve('store', `the store could not be opened: ${why}`)
}

function loaderFor(module: URL): string[] {
  try {
    return typeScriptLoader(lookProcess, module)
  } catch (error) {
    throw new CannotProve('store', messageOf(error), { cause: error })
  }
}

function read(file: string): Looked | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Looked
  } catch {
    return null
  }
}

const lookProcess = new URL(import.meta.url.replace(/parent\/look-sync(\.[jt]s).*$/, 'child/look-process$1'))
