import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { CannotRun } from '../command/run-command.ts'
import { Progress } from '../terminal/progress.ts'
import { count } from '../terminal/wording.ts'
import { type DamagedPart, type ReadSession, readTransfer } from './read-transfer.ts'

/** Reads the intact sessions of a file, or of stdin with `-`, with a progress bar. Everything else goes to `onDamage`. */
export async function* readSessions(
  file: string,
  { signal, onDamage }: { signal: AbortSignal; onDamage: (part: DamagedPart) => void },
): AsyncGenerator<ReadSession> {
  using progress = new Progress('importing')
  let [bytes, sessions] = [0, 0]
  try {
    const size = file === '-' ? null : (await stat(file)).size
    const stream = addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file))
    for await (const part of readTransfer(stream)) {
      signal.throwIfAborted()
      if ('damage' in part) {
        onDamage(part)
        continue
      }
      yield part
      bytes += part.bytes
      sessions += 1
      progress.show(bytes, size, count(sessions, 'session'))
    }
  } catch (error) {
    if (signal.aborted || !isSystemError(error)) throw error
    const isMissing = file !== '-' && error.code === 'ENOENT'
    const reason = isMissing ? 'there is no such file' : `cannot be read: ${error.message}`
    throw new CannotRun(`${file === '-' ? 'stdin' : file}${isMissing ? ':' : ''} ${reason}`, { cause: error })
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
