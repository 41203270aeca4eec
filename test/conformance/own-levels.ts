import { type Level, levels } from '../../src/conformance/case.ts'

/** What takes longest on a disk or a server: failures at every call, and random programs. */
export const longLevels: readonly Level[] = ['faults', 'model']

/** The levels that `npm test` proves on all but the memory backend, on which it proves all. */
export const quickLevels: readonly Level[] = levels.filter((level) => !longLevels.includes(level))
