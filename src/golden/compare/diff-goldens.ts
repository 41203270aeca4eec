import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freeze } from '../freezing/freezer.ts'
import { thaw } from '../freezing/thaw.ts'
import { makeTemporaryFolder } from '../system/temporary-folder.ts'
import { type CompareOptions, compareDatabases } from './compare-databases.ts'
import type { DatabaseDiff } from './diff.ts'
import { proposeVolatile, type Suggestion } from './propose-volatile.ts'
import { haveSameBytes } from './same-bytes.ts'

const nothing: DatabaseDiff = { settings: [], schema: [], tables: [], brokenForeignKeys: [] }

/** Compares two goldens, on copies. Null stands for a database without content. */
export function diffGoldens(before: string | null, after: string | null, options?: CompareOptions): DatabaseDiff {
  if (before !== null && after !== null && haveSameBytes(before, after)) return nothing
  return withCopies(before, after, (one, other) => compareDatabases(one, other, options))
}

/** Like `diffGoldens`, for any two databases, even live ones. */
export async function diffDatabases(
  before: string | null,
  after: string | null,
  options?: CompareOptions,
): Promise<DatabaseDiff> {
  const folder = makeTemporaryFolder('diff')
  try {
    const frozen = async (source: string | null, name: string) => {
      if (source === null) return null
      const target = join(folder, name)
      await freeze(source, target)
      return target
    }
    const [one, other] = [await frozen(before, 'before.sqlite'), await frozen(after, 'after.sqlite')]
    return one !== null && other !== null && haveSameBytes(one, other) ? nothing : compareDatabases(one, other, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The columns to declare volatile so that less of two goldens differs. `diff` must be theirs. */
export function proposeForGoldens(
  before: string,
  after: string,
  diff: DatabaseDiff,
  options: CompareOptions,
): Suggestion | null {
  return withCopies(before, after, (one, other) =>
    one === null || other === null ? null : proposeVolatile(one, other, diff, options),
  )
}

function withCopies<T>(
  before: string | null,
  after: string | null,
  run: (before: string | null, after: string | null) => T,
): T {
  const folder = makeTemporaryFolder('diff')
  try {
    const copy = (golden: string | null, name: string) => {
      if (golden === null) return null
      const target = join(folder, name)
      thaw(golden, target)
      return target
    }
    return run(copy(before, 'before.sqlite'), copy(after, 'after.sqlite'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
