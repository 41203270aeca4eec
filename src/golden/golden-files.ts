import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isGolden, pendingPath, reportPath } from './golden-names.ts'
import { moveFile, removeFile } from './replace-file.ts'
import { requireDatabase } from './sqlite-header.ts'

const skipped = new Set(['node_modules', '.git'])
const folderName = '__goldens__'

/** A state that waits for a review, and the golden it would replace. */
export interface PendingGolden {
  readonly golden: string
  readonly pending: string
}

/** The end goldens in a folder of a test file, and those of which only a pending state or a report is left. */
export function goldensIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .sort()
    .map((name) => name.replace(/(\.new)?(\.txt)?$/, ''))
  return [...new Set(names)].filter(isGolden).map((name) => join(folder, name))
}

/** All pending states below a folder. */
export function findPending(root: string): PendingGolden[] {
  return findGoldens(root)
    .map((golden) => ({ golden, pending: pendingPath(golden) }))
    .filter(({ pending }) => existsSync(pending))
}

/** Goldens below a folder whose test file is gone: no run of the tests will ever ask for them. */
export function findOrphans(root: string): string[] {
  return findGoldens(root).filter((golden) => {
    const folder = dirname(golden)
    return !existsSync(join(dirname(dirname(folder)), basename(folder)))
  })
}

/** All end goldens below a folder. */
export function findGoldens(root: string): string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || skipped.has(entry.name)) return []
    const folder = join(root, entry.name)
    if (entry.name !== folderName) return findGoldens(folder)
    return readdirSync(folder, { withFileTypes: true })
      .filter((inside) => inside.isDirectory())
      .map(({ name }) => name)
      .sort()
      .flatMap((name) => goldensIn(join(folder, name)))
  })
}

/** Makes the pending state the golden, with its report. */
export function acceptPending({ golden, pending }: PendingGolden): void {
  requireDatabase(pending)
  moveFile(pending, golden)
  if (existsSync(reportPath(pending))) moveFile(reportPath(pending), reportPath(golden))
}

/** Drops the pending state. */
export function rejectPending({ pending }: PendingGolden): void {
  removeFile(pending)
  removeFile(reportPath(pending))
}

/** Removes a golden with all that belongs to it. */
export function removeGolden(golden: string): void {
  rejectPending({ golden, pending: pendingPath(golden) })
  removeFile(golden)
  removeFile(reportPath(golden))
}
