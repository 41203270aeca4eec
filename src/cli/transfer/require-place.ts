import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CannotRun } from '../command/run-command.ts'

/** Throws `CannotRun` if a file cannot be written there, before any work is done. */
export async function requirePlace(file: string): Promise<void> {
  const folder = dirname(file)
  if (!(await isFolder(folder))) throw new CannotRun(`there is no folder ${folder}; nothing was written`)
  if (await isFolder(file)) throw new CannotRun(`${file} is a folder; nothing was written`)
  try {
    await access(folder, constants.W_OK)
  } catch {
    throw new CannotRun(`the folder ${folder} cannot be written; nothing was written`)
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
