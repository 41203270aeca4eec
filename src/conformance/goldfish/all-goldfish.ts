import type { Goldfish } from './goldfish.ts'
import { caches } from './stories/at-once/caches.ts'
import { concurrency } from './stories/at-once/concurrency.ts'
import { interleaving } from './stories/at-once/interleaving.ts'
import { operations } from './stories/at-once/operations.ts'
import { retries } from './stories/at-once/retries.ts'
import { signals } from './stories/at-once/signals.ts'
import { turns } from './stories/at-once/turns.ts'
import { versions } from './stories/at-once/versions.ts'
import { changedBytes } from './stories/faults/changed-bytes.ts'
import { faults } from './stories/faults/faults.ts'
import { network } from './stories/faults/network.ts'
import { parts } from './stories/faults/parts.ts'
import { errors } from './stories/keeping/errors.ts'
import { handles } from './stories/keeping/handles.ts'
import { isolation } from './stories/keeping/isolation.ts'
import { keeping } from './stories/keeping/keeping.ts'
import { limits } from './stories/keeping/limits.ts'
import { order } from './stories/keeping/order.ts'
import { owners } from './stories/keeping/owners.ts'
import { paging } from './stories/keeping/paging.ts'
import { programs } from './stories/keeping/programs.ts'
import { recalling } from './stories/keeping/recalling.ts'
import { records } from './stories/keeping/records.ts'
import { rules } from './stories/keeping/rules.ts'
import { values } from './stories/keeping/values.ts'
import { elsewhere } from './stories/processes/elsewhere.ts'
import { processes } from './stories/processes/processes.ts'
import { tornFiles } from './stories/processes/torn-files.ts'
import { budgets } from './stories/removing/budgets.ts'
import { closing } from './stories/removing/closing.ts'
import { cuts } from './stories/removing/cuts.ts'
import { providerLinks } from './stories/removing/provider-links.ts'
import { summaries } from './stories/removing/summaries.ts'
import { sweeping } from './stories/removing/sweeping.ts'
import { timeToLive } from './stories/removing/time-to-live.ts'
import { trimming } from './stories/removing/trimming.ts'
import { edits } from './stories/snapshots/edits.ts'
import { forks } from './stories/snapshots/forks.ts'
import { lostSnapshots } from './stories/snapshots/lost-snapshots.ts'
import { replacements } from './stories/snapshots/replacements.ts'
import { rollback } from './stories/snapshots/rollback.ts'
import { snapshots } from './stories/snapshots/snapshots.ts'
import { strangers } from './stories/snapshots/strangers.ts'
import { longCopies } from './stories/transfer/long-copies.ts'
import { transfer } from './stories/transfer/transfer.ts'
import { twoStories } from './stories/two-stories.ts'

/** Every goldfish there is, by what it forgets. */
export const goldfishByTheme: Readonly<Record<string, readonly Goldfish[]>> = {
  'the stories': twoStories,
  rollback,
  'lost snapshots': lostSnapshots,
  snapshots,
  'forks and rewinding': forks,
  edits,
  replacements,
  'long copies': longCopies,
  keeping,
  order,
  limits,
  paging,
  records,
  concurrency,
  interleaving,
  caches,
  'other processes': processes,
  faults,
  'changed bytes': changedBytes,
  'several parts': parts,
  errors,
  trimming,
  'odd cuts': cuts,
  'calls of the providers': providerLinks,
  budgets,
  isolation,
  values,
  rules,
  handles,
  'time to live': timeToLive,
  owners,
  operations,
  retries,
  versions,
  turns,
  signals,
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
