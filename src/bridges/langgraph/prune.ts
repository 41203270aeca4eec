import { misuse } from '../../core/errors.ts'
import { isVersionConflict } from '../../core/recognize-error.ts'
import type { SessionMemory } from '../../core/session-memory.ts'
import type { CheckpointNode } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { wholeRecord } from './make-record.ts'
import { nodesToKeep } from './nodes-to-keep.ts'
import { type CheckpointRecord, type WritesRecord, writesType } from './records.ts'
import type { KeptWrite, ThreadLog } from './thread-log.ts'

/** Options of `prune`. */
export interface PruneOptions {
  /** How many of the newest checkpoints of each namespace stay, at least 1. */
  keep: number
}

/** The result of `prune`. */
export interface Pruned {
  /** How many checkpoints stayed, of all namespaces. */
  kept: number
  /** How many checkpoints were removed. */
  removed: number
}

/** How often it starts over because the thread was written meanwhile. */
const maxAttempts = 100

/** Lets the path of the session begin anew with what stays, in one commit at the version that was read. */
export async function prune(
  log: ThreadLog,
  writer: SessionMemory<object, object>,
  { keep }: PruneOptions,
  codec: Codec,
): Promise<Pruned> {
  if (!Number.isInteger(keep) || keep < 1) throw misuse('options.keep: expected a whole number from 1 on')
  for (let attempt = 1; ; attempt++) {
    await log.catchUp()
    const all = log.namespaces().flatMap((ns) => log.checkpoints(ns))
    const kept = await nodesToKeep(log, keep, codec)
    const removed = all.length - kept.size
    if (removed === 0) return { kept: kept.size, removed }
    const entries = [
      ...log.others,
      ...recordsOf(log, kept).map((record) => ({ kind: 'record' as const, record: { ...record } })),
    ]
    try {
      await writer.rewind({ to: 0, entries, ifVersion: log.version })
      return { kept: kept.size, removed }
    } catch (error) {
      if (!isVersionConflict(error) || attempt === maxAttempts) throw error
    }
  }
}

/** Checkpoints in the order they were put, each followed by its writes, and writes whose checkpoint is still to be put. */
function recordsOf(log: ThreadLog, kept: ReadonlySet<CheckpointNode>): (CheckpointRecord | WritesRecord)[] {
  const records: (CheckpointRecord | WritesRecord)[] = []
  for (const node of [...kept].sort((a, b) => a.order - b.order)) {
    const { base, record } = node
    const continues = base !== undefined && kept.has(base)
    records.push(continues ? record : wholeRecord(record, log.stateOf(node)))
  }
  for (const [ns, id] of log.withWrites()) {
    const node = log.checkpoint(ns, id)
    if (node === undefined || kept.has(node)) records.push(...writesOf(ns, id, log.writes(ns, id)))
  }
  return records
}

/** Neighboring writes of a task are one record, so that the order stays. */
function writesOf(ns: string, id: string, writes: readonly KeptWrite[]): WritesRecord[] {
  const groups: KeptWrite[][] = []
  for (const write of writes) {
    const group = groups.at(-1)
    if (group?.[0]?.task === write.task) group.push(write)
    else groups.push([write])
  }
  return groups.map((group) => ({
    type: writesType,
    ...(ns !== '' && { ns }),
    id,
    task: group[0]?.task ?? '',
    writes: group.map(({ index, channel, value }) => [index, channel, value] as const),
  }))
}
