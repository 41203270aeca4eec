import { createHash } from 'node:crypto'

/** A script for the server. `sha` names it there, once the server has seen it. */
export interface Script {
  readonly source: string
  readonly sha: string
  /** Whether its reply holds more than text. */
  readonly repliesBytes: boolean
}

export function makeScript(...parts: readonly string[]): Script {
  const source = parts.join('\n')
  return { source, sha: createHash('sha1').update(source).digest('hex'), repliesBytes: false }
}
