import { type Level, levels } from '../../src/conformance/case.ts'

/** What takes longest on a server, by far: a failing network at every command, and random programs. */
export const longLevels: readonly Level[] = ['faults', 'model']

/** The levels that `npm test` proves on servers. */
export const quickLevels: readonly Level[] = levels.filter((level) => !longLevels.includes(level))
