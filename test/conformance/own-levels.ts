import { type Level, levels } from '../../src/conformance/case.ts'

/** What takes longest on a disk or a server: failures at every call, and random programs. */
export const longLevels: readonly Level[] = ['faults', 'model']

/** The levels that `npm test` proves on SQLite files; on the memory backend, it proves all. */
export const quickLevels: readonly Level[] = without(longLevels)

/** On a server, processes are proved by `npm run test:long` as well. */
export const longLevelsOnServers: readonly Level[] = ['processes', ...longLevels]

export const quickLevelsOnServers: readonly Level[] = without(longLevelsOnServers)

function without(others: readonly Level[]): Level[] {
  return levels.filter((level) => !others.includes(level))
}
