import type { Group } from './row.ts'
import { afterRollbacksGroup } from './rows/after-rollbacks.ts'
import { appendGroup } from './rows/append.ts'
import { fileSizeGroup } from './rows/file-size.ts'
import { goldenGroup } from './rows/golden.ts'
import { holdsGroups } from './rows/holds.ts'
import { keptRecordsGroup } from './rows/kept-records.ts'
import { langgraphGroups } from './rows/langgraph.ts'
import { longSessionGroup } from './rows/long-session.ts'
import { memoryStoreGroup } from './rows/memory-store.ts'
import { ownersGroups } from './rows/owners.ts'
import { postgresAppendGroup } from './rows/postgres-append.ts'
import { postgresBytesGroup } from './rows/postgres-bytes.ts'
import { postgresLongSessionGroup } from './rows/postgres-long-session.ts'
import { processesGroup } from './rows/processes.ts'
import { recallGroup } from './rows/recall.ts'
import { redisAppendGroup, redisSyncedAppendGroup } from './rows/redis-append.ts'
import { redisBytesGroup } from './rows/redis-bytes.ts'
import { redisLongSessionGroup } from './rows/redis-long-session.ts'
import { scalingGroups } from './rows/scaling.ts'
import { wholeHistoryGroup } from './rows/whole-history.ts'

/** Every row there is, in the order of the table. */
export const groups: readonly Group[] = [
  appendGroup,
  longSessionGroup,
  afterRollbacksGroup,
  keptRecordsGroup,
  wholeHistoryGroup,
  fileSizeGroup,
  processesGroup,
  memoryStoreGroup,
  recallGroup,
  goldenGroup,
  redisAppendGroup,
  redisSyncedAppendGroup,
  redisLongSessionGroup,
  redisBytesGroup,
  postgresAppendGroup,
  postgresLongSessionGroup,
  postgresBytesGroup,
  ...langgraphGroups,
  ...ownersGroups,
  ...scalingGroups,
  ...holdsGroups,
]
