import { GoldenError } from './errors.ts'

/**
 * What may be written. `new`: missing goldens, and pending ones next to those that differ. `none`: nothing. `all`: goldens that are
 * missing or differ.
 */
export type UpdateMode = 'new' | 'none' | 'all'

const isMode = (value: string): value is UpdateMode => value === 'new' || value === 'none' || value === 'all'

/** On CI nothing is written, whatever the settings. Otherwise SNAPSHOT_UPDATE decides, then the runner. */
export function resolveMode(runner?: UpdateMode | undefined, environment: NodeJS.ProcessEnv = process.env): UpdateMode {
  const asked = environment['SNAPSHOT_UPDATE'] ?? ''
  if (asked !== '' && !isMode(asked)) {
    throw new GoldenError('BAD_OPTION', `SNAPSHOT_UPDATE is ${JSON.stringify(asked)}; it can be all, new or none.`)
  }
  if (!['', '0', 'false'].includes(environment['CI'] ?? '')) return 'none'
  return asked === '' ? (runner ?? 'new') : asked
}
