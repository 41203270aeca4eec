import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compareDatabases } from '../../golden/compare/compare-databases.ts'
import { freeze, stopFreezer } from '../../golden/freezing/freezer.ts'
import { isCanonical } from '../../golden/freezing/sqlite-header.ts'
import { thaw } from '../../golden/freezing/thaw.ts'
import { makeTemporaryFolder } from '../../golden/system/temporary-folder.ts'
import { renderContent } from './golden-content.ts'

/** Hands out temporary copies of databases: the bytes of a golden, or the committed state of any other database, even a live one. */
export async function withCopies<T>(
  files: readonly [string, string?],
  use: (one: string, other: string) => T | Promise<T>,
): Promise<T> {
  const folder = makeTemporaryFolder('copies')
  try {
    const [one, other = one] = files
    const copy = await copyTo(one, join(folder, 'one.sqlite'))
    return await use(copy, other === one ? copy : await copyTo(other, join(folder, 'other.sqlite')))
  } finally {
    stopFreezer()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The whole content of a copy, as lines. */
export function readContent(copy: string, rowLimit: number, valueWidth?: number): string[] {
  return renderContent(compareDatabases(null, copy, { rowLimit }), valueWidth)
}

async function copyTo(file: string, target: string): Promise<string> {
  const isGolden = isCanonical(file) && !existsSync(`${file}-wal`) && !existsSync(`${file}-journal`)
  if (isGolden) thaw(file, target)
  else await freeze(file, target)
  return target
}
