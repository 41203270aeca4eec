import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { findPending, type PendingGolden } from '../../golden/files/golden-files.ts'
import { goldensName, isGolden, pendingPath, testFileOf } from '../../golden/files/golden-names.ts'
import { shellWord } from '../../plain/shell-word.ts'
import { CannotRun } from '../command/run-command.ts'

/** Relative to the current folder. */
export function showPath(path: string): string {
  return relative('', path) || path
}

/** The test file of a golden, or its folder: its own name only repeats that of the test. */
export function whereOf(golden: string): string {
  const folder = dirname(resolve(golden))
  return showPath(testFileOf(folder) ?? folder)
}

/** Quoted for the shell. */
export function quotePath(path: string): string {
  return shellWord(showPath(path))
}

/** Pending changes of the given files and folders: goldens, their pending states or reports. Default: everything below the current folder. */
export function choosePending(files: readonly string[]): PendingGolden[] {
  if (files.length === 0) return pendingBelow('')
  const chosen = files.flatMap((file) => {
    const found = isFolder(file) ? pendingBelow(file) : pendingAt(file)
    if (found.length === 0) throw new CannotRun(`${file} has no pending change; nothing was changed`)
    return found
  })
  return [...new Map(chosen.map((one) => [one.golden, one])).values()]
}

function pendingAt(file: string): PendingGolden[] {
  const golden = resolve(file).replace(/(\.new)?(\.txt)?$/, '')
  const pending = pendingPath(golden)
  return isGolden(golden) && existsSync(pending) ? [{ golden, pending }] : []
}

/** Also from within the folders of goldens. */
function pendingBelow(file: string): PendingGolden[] {
  const folder = resolve(file)
  const parts = folder.split(sep)
  const goldens = parts.indexOf(goldensName)
  const root = goldens === -1 ? folder : dirname(parts.slice(0, goldens + 1).join(sep))
  return findPending(root).filter(({ golden }) => golden.startsWith(`${folder.replace(/[/\\]$/, '')}${sep}`))
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
