import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../plain/message-of.ts'
import { errorCode, GoldenError } from '../errors.ts'
import { isLeftBehind, processMark } from './process-mark.ts'

/** Atomically creates or replaces a file with a copy of another. */
export function replaceFile(source: string, target: string): void {
  replace(target, (temporary) => copyFileSync(source, temporary))
}

/** Atomically creates or replaces a file with a text. */
export function replaceText(text: string, target: string): void {
  replace(target, (temporary) => writeFileSync(temporary, text))
}

/** Removes a file if it exists. */
export function removeFile(path: string): void {
  writing(path, () => rmSync(path, { force: true }))
}

/** Replaces a file by another one of the same folder. */
export function moveFile(source: string, target: string): void {
  writing(target, () => renameSync(source, target))
}

function replace(target: string, write: (temporary: string) => void): void {
  const temporary = `${target}.${processMark}-${randomBytes(4).toString('hex')}.tmp`
  writing(target, () => {
    mkdirSync(dirname(target), { recursive: true })
    removeLeftovers(target)
    try {
      write(temporary)
      renameSync(temporary, target)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  })
}

/** Leftovers of processes that were killed while writing the same file. */
function removeLeftovers(target: string): void {
  const begin = `${basename(target)}.`
  for (const name of readdirSync(dirname(target))) {
    const isLeftover = name.startsWith(begin) && name.endsWith('.tmp') && isLeftBehind(name.slice(begin.length - 1))
    if (isLeftover) rmSync(join(dirname(target), name), { force: true })
  }
}

function writing(target: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const reasons: Record<string, string> = {
      EROFS: 'the disk is read-only',
      EACCES: 'this user may not write there',
      EPERM: 'this user may not write there',
      ENOSPC: 'the disk is full',
      EISDIR: 'a folder is there',
      ENOTDIR: 'there is a file where a folder should be',
    }
    const reason = reasons[errorCode(error)] ?? messageOf(error)
    throw new GoldenError('CANNOT_WRITE', `${target} cannot be written: ${reason}.`, { cause: error })
  }
}
