import { accessSync, constants } from 'node:fs'
import { delimiter } from 'node:path'

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folders of the PATH. */
export function foldersOf({ PATH = '' }: NodeJS.ProcessEnv): string[] {
  return PATH.split(delimiter).filter((folder) => folder !== '')
}
