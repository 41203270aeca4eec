import type { Case } from '../case.ts'
import { concurrency } from './core/concurrency.ts'
import { keeping } from './core/keeping.ts'
import { sessions } from './core/sessions.ts'
import { timeToLive as coreTimeToLive } from './core/time-to-live.ts'
import { trimming as coreTrimming } from './core/trimming.ts'
import { values as coreValues } from './core/values.ts'
import { everyMutation } from './faults/every-mutation.ts'
import { faultyConnection } from './faults/faulty-connection.ts'
import { adding } from './full/adding.ts'
import { compaction } from './full/compaction.ts'
import { history } from './full/history.ts'
import { isolation } from './full/isolation.ts'
import { lifeCycle } from './full/life-cycle.ts'
import { operations } from './full/operations.ts'
import { recalling } from './full/recalling.ts'
import { timeToLive } from './full/time-to-live.ts'
import { transfer } from './full/transfer.ts'
import { trimming } from './full/trimming.ts'
import { values } from './full/values.ts'
import { versions } from './full/versions.ts'
import { programs } from './model/programs.ts'
import { atOnce } from './processes/at-once.ts'
import { oneAfterAnother } from './processes/one-after-another.ts'
import { snapshots } from './snapshots/snapshots.ts'
import { storyCases } from './snapshots/story.ts'

/** Every case of the kit, level by level. */
export const allCases: readonly Case[] = [
  ...keeping,
  ...sessions,
  ...coreTrimming,
  ...coreValues,
  ...concurrency,
  ...coreTimeToLive,
  ...adding,
  ...operations,
  ...versions,
  ...history,
  ...trimming,
  ...compaction,
  ...timeToLive,
  ...recalling,
  ...transfer,
  ...isolation,
  ...values,
  ...lifeCycle,
  ...storyCases,
  ...snapshots,
  ...oneAfterAnother,
  ...atOnce,
  ...everyMutation,
  ...faultyConnection,
  ...programs,
]
