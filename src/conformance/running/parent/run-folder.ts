import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../plain/message-of.ts'
import { CannotProve } from '../../cannot-prove.ts'

/** A folder for all memories of a run. Removed when it is disposed of, or when this process exits. */
export function runFolder(under = tmpdir()): Disposable & { readonly path: string } {
  const path = make(under)
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}

function make(under: string): string {
  try {
    return mkdtempSync(join(under, 'unforget-prove-'))
  } catch (error) {
    throw new CannotProve('kit', `no folder for the memories could be made: ${messageOf(error)}`, { cause: error })
  }
}
