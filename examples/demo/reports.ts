import type { Entry, ListedSnapshot, Recalled, Snapshot, Verified } from 'unforget'

export interface ReportA {
  entries: Entry[]
  snapshot: Snapshot
}

/** B reports as it goes, because it does not live to report at the end. */
export type ReportB =
  | { did: 'begin'; turn: number }
  | { did: 'acknowledge'; turn: number }
  | { did: 'save'; snapshot: Snapshot }

export interface Rollback {
  leftBehind: string
  entries: Entry[]
}

export interface ReportC {
  found: Entry[]
  /** To A's snapshot. */
  first: Rollback
  /** To what the first one left. */
  second: Rollback
  /** To A's snapshot again. */
  third: Rollback
}

export interface ReportD {
  entries: Entry[]
  snapshots: ListedSnapshot[]
  verified: Verified
  recalled: Recalled[]
}

export function report(value: ReportA | ReportB | ReportC | ReportD): void {
  if (process.send === undefined) throw new Error('this process reports to the demo: start it with "npm run demo"')
  // With the demo gone nobody would ever stop process B.
  process.send(value, undefined, undefined, (error) => {
    if (error !== null) process.exit(1)
  })
}
