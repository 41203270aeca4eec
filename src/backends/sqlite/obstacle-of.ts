import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** What about a file or its folder keeps SQLite from using it, in words for a person; undefined if nothing does. */
export function obstacleOf(file: string): string | undefined {
  const folder = dirname(file)
  if (!isFolder(folder)) return `there is no folder ${folder}`
  if (isFolder(file)) return `${file} is a folder; name a file in it`
  if (isMissing(file)) return may(folder, constants.W_OK) ? undefined : `the folder ${folder} cannot be written`
  if (!may(file, constants.R_OK)) return `${file} cannot be read: permission denied`
  if (!may(folder, constants.W_OK))
    return `the folder ${folder} cannot be written, and SQLite keeps the log of ${file} there`
  return may(file, constants.W_OK) ? undefined : `${file} cannot be written: permission denied`
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() ?? false
}

function isMissing(path: string): boolean {
  return look(path) === undefined
}

function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
