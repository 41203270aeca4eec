import { budgets } from './budgets.ts'
import { caches } from './caches.ts'
import { changedBytes } from './changed-bytes.ts'
import { closing } from './closing.ts'
import { concurrency } from './concurrency.ts'
import { elsewhere } from './elsewhere.ts'
import { errors } from './errors.ts'
import { faults } from './faults.ts'
import { forks } from './forks.ts'
import type { Goldfish } from './goldfish.ts'
import { interleaving } from './interleaving.ts'
import { isolation } from './isolation.ts'
import { keeping } from './keeping.ts'
import { limits } from './limits.ts'
import { longCopies } from './long-copies.ts'
import { lostSnapshots } from './lost-snapshots.ts'
import { network } from './network.ts'
import { operations } from './operations.ts'
import { order } from './order.ts'
import { paging } from './paging.ts'
import { processes } from './processes.ts'
import { programs } from './programs.ts'
import { recalling } from './recalling.ts'
import { retries } from './retries.ts'
import { rollback } from './rollback.ts'
import { snapshots } from './snapshots.ts'
import { stories } from './stories.ts'
import { strangers } from './strangers.ts'
import { summaries } from './summaries.ts'
import { sweeping } from './sweeping.ts'
import { timeToLive } from './time-to-live.ts'
import { tornFiles } from './torn-files.ts'
import { transfer } from './transfer.ts'
import { trimming } from './trimming.ts'
import { values } from './values.ts'
import { versions } from './versions.ts'

/** Every goldfish there is, by what it forgets. */
export const goldfishByTheme: Readonly<Record<string, readonly Goldfish[]>> = {
  'the stories': stories,
  rollback,
  'lost snapshots': lostSnapshots,
  snapshots,
  'forks and rewinding': forks,
  'long copies': longCopies,
  keeping,
  order,
  limits,
  paging,
  concurrency,
  interleaving,
  caches,
  'other processes': processes,
  faults,
  'changed bytes': changedBytes,
  errors,
  trimming,
  budgets,
  isolation,
  values,
  'time to live': timeToLive,
  operations,
  retries,
  versions,
  summaries,
  recall: recalling,
  transfer,
  sweeping,
  closing,
  'long programs': programs,
  strangers,
  elsewhere,
  'torn files': tornFiles,
  'the network': network,
}

export const allGoldfish: readonly Goldfish[] = Object.values(goldfishByTheme).flat()

export function findGoldfish(name: string): Goldfish {
  const found = allGoldfish.find((goldfish) => goldfish.name === name)
  if (found === undefined) throw new RangeError(`there is no goldfish named "${name}"`)
  return found
}
