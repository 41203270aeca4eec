import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type CompareOptions, compareDatabases } from '../../../src/golden/compare/compare-databases.ts'
import type { DatabaseDiff } from '../../../src/golden/compare/diff.ts'
import { freezeFile } from '../../../src/golden/freezing/freeze-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Writes a database by SQL, and closes it. */
export function write(path: string, sql: string): string {
  const database = new Database(path)
  database.pragma('synchronous = OFF')
  database.pragma('foreign_keys = OFF')
  database.exec(sql)
  database.close()
  return path
}

/** The canonical goldens of two databases, each made by SQL. */
export async function twoGoldens(before: string, after: string): Promise<[before: string, after: string]> {
  const folder = await temporaryFolder()
  const golden = (name: string, sql: string) => {
    const target = join(folder, `${name}.golden`)
    freezeFile(write(join(folder, `${name}.db`), sql), target)
    return target
  }
  return [golden('before', before), golden('after', after)]
}

/** How two databases differ that share one beginning. */
export async function difference(
  common: string,
  before: string,
  after: string,
  options?: CompareOptions,
): Promise<DatabaseDiff> {
  const [one, other] = await twoGoldens(`${common};${before}`, `${common};${after}`)
  return compareDatabases(one, other, options)
}
