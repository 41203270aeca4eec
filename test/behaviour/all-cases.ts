import { adding } from './adding.ts'
import type { BehaviourCase } from './case.ts'
import { compaction } from './compaction.ts'
import { history } from './history.ts'
import { isolation } from './isolation.ts'
import { lifeCycle } from './life-cycle.ts'
import { operations } from './operations.ts'
import { recalling } from './recalling.ts'
import { snapshots } from './snapshots.ts'
import { timeToLive } from './time-to-live.ts'
import { transfer } from './transfer.ts'
import { trimming } from './trimming.ts'
import { values } from './values.ts'
import { versions } from './versions.ts'

export const allCases: BehaviourCase[] = [
  ...adding,
  ...operations,
  ...versions,
  ...history,
  ...trimming,
  ...compaction,
  ...snapshots,
  ...timeToLive,
  ...recalling,
  ...transfer,
  ...isolation,
  ...values,
  ...lifeCycle,
]
