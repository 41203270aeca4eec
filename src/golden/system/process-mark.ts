import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errorCode } from '../errors.ts'

/** Where a process id is valid: another machine or container may share a folder with this one. */
const world = createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 8)

/** For the names of what this process removes when it is done, so that others can remove it if this one is killed. */
export const processMark = `${world}-${process.pid}`

/** Whether a name has the mark of a process that is surely dead. */
export function isLeftBehind(name: string): boolean {
  const [, where, pid] = /[.-]([0-9a-f]{8})-(\d+)-/.exec(name) ?? []
  return where === world && !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
