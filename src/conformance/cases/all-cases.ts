import type { Case } from '../case.ts'
import { concurrency } from './core/concurrency.ts'
import { keeping } from './core/keeping.ts'
import { sessions } from './core/sessions.ts'
import { timeToLive as coreTimeToLive } from './core/time-to-live.ts'
import { trimming as coreTrimming } from './core/trimming.ts'
import { values as coreValues } from './core/values.ts'
import { changedBytes } from './faults/changed-bytes.ts'
import { everyMutation } from './faults/every-mutation.ts'
import { failingNetwork } from './faults/failing-network.ts'
import { failingTurns } from './faults/failing-turns.ts'
import { faultyConnection } from './faults/faulty-connection.ts'
import { forgettingAPerson } from './faults/forgetting-a-person.ts'
import { interleaving } from './faults/interleaving.ts'
import { interruptedReads } from './faults/interrupted-reads.ts'
import { keepsChanging } from './faults/keeps-changing.ts'
import { lostEntries } from './faults/lost-entries.ts'
import { oneOfSeveral } from './faults/one-of-several.ts'
import { rewindingMeanwhile } from './faults/rewinding-meanwhile.ts'
import { slicesOfACopy } from './faults/slices-of-a-copy.ts'
import { smallParts } from './faults/small-parts.ts'
import { workAfterwards } from './faults/work-afterwards.ts'
import { adding } from './full/adding.ts'
import { clearing } from './full/clearing.ts'
import { compaction } from './full/compaction.ts'
import { damagedCopies } from './full/damaged-copies.ts'
import { entries } from './full/entries.ts'
import { epochs } from './full/epochs.ts'
import { erasedByItself } from './full/erased-by-itself.ts'
import { everyCut } from './full/generated/every-cut.ts'
import { everyError } from './full/generated/every-error.ts'
import { everyField } from './full/generated/every-field.ts'
import { everyOption } from './full/generated/every-option.ts'
import { everyPair } from './full/generated/every-pair.ts'
import { everyPartOfACopy } from './full/generated/every-part-of-a-copy.ts'
import { everyPlace } from './full/generated/every-place.ts'
import { everySize } from './full/generated/every-size.ts'
import { everySnapshotRead } from './full/generated/every-snapshot-read.ts'
import { history } from './full/history.ts'
import { isolation } from './full/isolation.ts'
import { lifeCycle } from './full/life-cycle.ts'
import { longImports } from './full/long-imports.ts'
import { lostTurns } from './full/lost-turns.ts'
import { olderCopies } from './full/older-copies.ts'
import { operationConflicts } from './full/operation-conflicts.ts'
import { operationResults } from './full/operation-results.ts'
import { operations } from './full/operations.ts'
import { ownedLists } from './full/owned-lists.ts'
import { owners } from './full/owners.ts'
import { paging } from './full/paging.ts'
import { readOnce } from './full/read-once.ts'
import { recalling } from './full/recalling.ts'
import { sessionHandles } from './full/session-handles.ts'
import { signals } from './full/signals.ts'
import { sweeping } from './full/sweeping.ts'
import { timeToLive } from './full/time-to-live.ts'
import { transfer } from './full/transfer.ts'
import { trimming } from './full/trimming.ts'
import { turns } from './full/turns.ts'
import { values } from './full/values.ts'
import { versions } from './full/versions.ts'
import { programs } from './model/programs.ts'
import { methodsNeededBy } from './needed-methods.ts'
import { atOnce } from './processes/at-once.ts'
import { killed } from './processes/killed.ts'
import { killedCopies } from './processes/killed-copies.ts'
import { oneAfterAnother } from './processes/one-after-another.ts'
import { turnsOfProcesses } from './processes/turns.ts'
import { editing } from './snapshots/editing.ts'
import { forking } from './snapshots/forking.ts'
import { longForks } from './snapshots/long-forks.ts'
import { paths } from './snapshots/paths.ts'
import { replacing } from './snapshots/replacing.ts'
import { rewinding } from './snapshots/rewinding.ts'
import { rollingBack } from './snapshots/rolling-back.ts'
import { savingCases } from './snapshots/saving.ts'
import { snapshots } from './snapshots/snapshots.ts'
import { storyCases } from './snapshots/story.ts'
import type { WrittenCase } from './written-case.ts'

const written: readonly WrittenCase[] = [
  ...keeping,
  ...sessions,
  ...coreTrimming,
  ...coreValues,
  ...concurrency,
  ...coreTimeToLive,
  ...adding,
  ...entries,
  ...operations,
  ...operationConflicts,
  ...operationResults,
  ...versions,
  ...epochs,
  ...history,
  ...paging,
  ...trimming,
  ...everyPair,
  ...clearing,
  ...compaction,
  ...timeToLive,
  ...erasedByItself,
  ...owners,
  ...ownedLists,
  ...recalling,
  ...transfer,
  ...damagedCopies,
  ...longImports,
  ...isolation,
  ...values,
  ...readOnce,
  ...sweeping,
  ...turns,
  ...lostTurns,
  ...signals,
  ...lifeCycle,
  ...olderCopies,
  ...sessionHandles,
  ...everyCut,
  ...everyError,
  ...everyField,
  ...everyOption,
  ...everySnapshotRead,
  ...everyPlace,
  ...everySize,
  ...everyPartOfACopy,
  ...storyCases,
  ...savingCases,
  ...rollingBack,
  ...snapshots,
  ...rewinding,
  ...editing,
  ...replacing,
  ...forking,
  ...longForks,
  ...paths,
  ...oneAfterAnother,
  ...killed,
  ...killedCopies,
  ...atOnce,
  ...turnsOfProcesses,
  ...everyMutation,
  ...faultyConnection,
  ...rewindingMeanwhile,
  ...forgettingAPerson,
  ...interleaving,
  ...interruptedReads,
  ...changedBytes,
  ...lostEntries,
  ...keepsChanging,
  ...oneOfSeveral,
  ...slicesOfACopy,
  ...smallParts,
  ...workAfterwards,
  ...failingTurns,
  ...failingNetwork,
  ...programs,
]

/** Every case of the kit, level by level. */
export const allCases: readonly Case[] = written.map((one) => ({
  ...one,
  needs: [...methodsNeededBy(one.id), ...(one.needs ?? [])],
}))
