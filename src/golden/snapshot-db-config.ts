import type { VolatileColumns } from './compare/volatile/shapes.ts'
import type { SeedInput } from './files/seed-inputs.ts'
import type { UpdateMode } from './mode.ts'
import type { Seed } from './start-golden.ts'

/** What a user configures, once for many tests. */
export interface SnapshotDbConfig {
  /** The start golden, relative to the test file. Without it a test starts with no database. */
  readonly golden?: string | undefined
  /** Makes the start golden if it is missing, or if `inputs` changed. */
  readonly seed?: Seed | undefined
  readonly inputs?: readonly SeedInput[] | undefined
  readonly volatile?: VolatileColumns | undefined
}

/** What a runner's adapter adds for one attempt of one test. */
export interface SnapshotDbOptions extends SnapshotDbConfig {
  /** Absolute. */
  readonly testFile: string
  /** Full, with the names of the groups around it. */
  readonly testName: string
  /** The same for all attempts of a test, and unique to it. */
  readonly testId: string
  /** As the runner was told; the environment can override it. */
  readonly mode?: UpdateMode | undefined
  readonly color?: boolean | undefined
}
