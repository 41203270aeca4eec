import { memoryVolatile } from '../../src/golden/memory-volatile.ts'
import type { SnapshotDbConfig } from '../../src/golden/snapshot-db-config.ts'

/** A test of our own backend starts with no file: the first process makes it. */
export const ownBackend: SnapshotDbConfig = { volatile: memoryVolatile }
