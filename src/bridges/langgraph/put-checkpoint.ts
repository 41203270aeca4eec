import { VersionConflictError } from '../../core/errors.ts'
import { isVersionConflict } from '../../core/recognize-error.ts'
import type { SessionMemory } from '../../core/session-memory.ts'
import type { Added, WriteOptions } from '../../core/types.ts'
import { type CheckpointNode, type CheckpointState, listIn } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { type MadeRecord, makeRecord, type Putting } from './make-record.ts'
import type { CheckpointRecord, Version } from './records.ts'
import type { ThreadLog } from './thread-log.ts'

/**
 * Appends a checkpoint as a difference to its parent, on condition that the parent is not taken back meanwhile. With `refuses`, also on
 * condition that no other one was put meanwhile.
 */
export async function putCheckpoint(
  log: ThreadLog,
  writer: SessionMemory<object, object>,
  putting: Putting,
  { codec, refuses }: { codec: Codec; refuses: boolean },
): Promise<void> {
  const { ns, parent } = putting
  for (;;) {
    const base = await knownParent(log, ns, parent)
    if (refuses && isOvertaken(log, putting)) {
      throw new VersionConflictError(log.session, 'version', base?.record.id ?? null, log.newest(ns)?.record.id ?? null)
    }
    const { epoch, version } = log
    const state = base && log.stateOf(base)
    const made = await makeRecord(putting, state, knownVersions(log, ns), codec)
    const conditions = { ...(base && { ifEpoch: epoch }), ...(refuses && { ifVersion: version }) }
    const added = await addUnlessMoved(writer, made.record, conditions)
    if (added !== null) {
      log.learn(made.record, added)
      keepJson(log, ns, state, made)
      return
    }
    await log.catchUp()
  }
}

/** `null` if the conditions do not hold, because somebody else wrote. */
async function addUnlessMoved(
  writer: SessionMemory<object, object>,
  record: CheckpointRecord,
  conditions: WriteOptions,
): Promise<Added | null> {
  try {
    return await writer.addEntries([{ kind: 'record', record: { ...record } }], conditions)
  } catch (error) {
    if (isVersionConflict(error)) return null
    throw error
  }
}

async function knownParent(
  log: ThreadLog,
  ns: string,
  parent: string | undefined,
): Promise<CheckpointNode | undefined> {
  const known = parent === undefined ? undefined : log.checkpoint(ns, parent)
  if (known !== undefined) return known
  await log.catchUp()
  return parent === undefined ? undefined : log.checkpoint(ns, parent)
}

/** A copy that is marked as a fork, a run from an earlier checkpoint, and the same checkpoint again are not. */
function isOvertaken(log: ThreadLog, { ns, parent, checkpoint, metadata }: Putting): boolean {
  const newest = log.newest(ns)
  if (newest === undefined || metadata.source === 'fork') return false
  const { id } = newest.record
  if (id === parent || id === checkpoint.id) return false
  const node = parent === undefined ? undefined : log.checkpoint(ns, parent)
  return node === undefined || !log.askedFor.has(node)
}

function knownVersions(log: ThreadLog, ns: string): (channel: string, version: Version) => boolean {
  return (channel, version) =>
    log.checkpoints(ns).some((node) => {
      const { versions, channels } = log.stateOf(node)
      return versions.get(channel) === version && channels.has(channel)
    })
}

/** The next checkpoint is compared with this one's lists, and hardly ever with those of its parent. */
function keepJson(log: ThreadLog, ns: string, base: CheckpointState | undefined, { record, json }: MadeRecord): void {
  const node = log.checkpoint(ns, record.id)
  if (node?.record.id !== record.id || json.size === 0) return
  const state = log.stateOf(node)
  for (const [channel, bytes] of json) {
    const before = listIn(base, channel)
    if (before) before.json = undefined
    const now = listIn(state, channel)
    if (now) now.json = bytes
  }
}
