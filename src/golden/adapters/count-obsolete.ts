import { dirname, relative, sep } from 'node:path'

/** What the snapshot states of Vitest and Jest share: unchecked goldens count as obsolete, or as removed when updating. */
export interface UncheckedSnapshots {
  getUncheckedCount(): number
  getUncheckedKeys(): string[]
}

/** Adds goldens to what the runner's summary counts and lists below the test file. */
export function countObsolete(snapshots: UncheckedSnapshots, testFile: string, goldens: readonly string[]): void {
  const names = goldens.map((golden) => relative(dirname(testFile), golden).split(sep).join('/'))
  const count = snapshots.getUncheckedCount.bind(snapshots)
  const keys = snapshots.getUncheckedKeys.bind(snapshots)
  snapshots.getUncheckedCount = () => count() + names.length
  snapshots.getUncheckedKeys = () => [...keys(), ...names]
}
