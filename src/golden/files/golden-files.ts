import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireDatabase } from '../freezing/sqlite-header.ts'
import { moveFile, removeFile } from '../system/replace-file.ts'
import { goldensName, isGolden, pendingPath, reportPath, testFileOf } from './golden-names.ts'
import { leadsToGoldens } from './leads-to-goldens.ts'

const skipped = new Set(['node_modules', '.git'])

/** A state pending review, and the golden it would replace. */
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

/** Goldens below a folder that no test run will ever use: their test file is gone, or loads nothing that could use them. */
export function findOrphans(root: string): string[] {
  const why = new Map<string, Orphanhood | null>()
  return findGoldens(root).filter((golden) => {
    const folder = dirname(golden)
    if (!why.has(folder)) why.set(folder, orphanhoodOf(golden))
    return why.get(folder) !== null
  })
}

export type Orphanhood = 'its test file is gone' | 'its test file no longer loads unforget/golden'

/** Why no test run will ever use a golden; null if one may. */
export function orphanhoodOf(golden: string): Orphanhood | null {
  const testFile = testFileOf(dirname(golden))
  if (testFile === null) return null
  if (!existsSync(testFile)) return 'its test file is gone'
  return leadsToGoldens(testFile) ? null : 'its test file no longer loads unforget/golden'
}

/** All end goldens below a folder. */
export function findGoldens(root: string): string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || skipped.has(entry.name)) return []
    const folder = join(root, entry.name)
    if (entry.name !== goldensName) return findGoldens(folder)
    return readdirSync(folder, { withFileTypes: true })
      .filter((inside) => inside.isDirectory())
      .map(({ name }) => join(folder, name))
      .filter((inside) => testFileOf(inside) !== null)
      .sort()
      .flatMap(goldensIn)
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

/** Removes a golden with everything that belongs to it, and folders that become empty. */
export function removeGolden(golden: string): void {
  rejectPending({ golden, pending: pendingPath(golden) })
  removeFile(golden)
  removeFile(reportPath(golden))
  const folder = dirname(golden)
  for (const left of [folder, dirname(folder)]) if (!removeEmptyFolder(left)) return
}

function removeEmptyFolder(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
