import type {
  Checkpoint,
  CheckpointMetadata,
  CheckpointPendingWrite,
  CheckpointTuple,
} from '@langchain/langgraph-checkpoint'
import { maxChannelVersion, TASKS } from './checkpoint-package.ts'
import { type Channel, type CheckpointNode, isList } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { itemsOf } from './list-view.ts'
import { unpackTime } from './records.ts'
import type { KeptWrite, ThreadLog } from './thread-log.ts'
import { configOf } from './thread-place.ts'

/** Everything in it is the caller's own, to change at will. */
export async function readTuple(
  log: ThreadLog,
  node: CheckpointNode,
  thread: string,
  codec: Codec,
): Promise<CheckpointTuple> {
  const { ns = '', id, v = 4, ts } = node.record
  const { versions, seen, channels } = log.stateOf(node)
  const parent = parentOf(node)
  const pending = log.writes(ns, id)
  const sent = v < 4 && parent !== undefined ? log.writes(ns, parent).filter(({ channel }) => channel === TASKS) : null
  const checkpoint: Checkpoint = {
    v,
    id,
    ts: unpackTime(ts),
    channel_values: Object.fromEntries(
      await Promise.all(
        [...channels].map(async ([name, channel]) => [name, await loadChannel(channel, codec)] as const),
      ),
    ),
    channel_versions: Object.fromEntries(versions),
    versions_seen: Object.fromEntries([...seen].map(([name, one]) => [name, { ...one }])),
  }
  if (sent !== null) {
    checkpoint.channel_values[TASKS] = await Promise.all(sent.map(({ value }) => codec.load(value)))
    checkpoint.channel_versions[TASKS] = versions.size > 0 ? maxChannelVersion(...versions.values()) : 1
  }
  return {
    config: configOf(thread, ns, id),
    checkpoint,
    metadata: (await codec.load(node.record.metadata)) as CheckpointMetadata,
    ...(parent !== undefined && { parentConfig: configOf(thread, ns, parent) }),
    pendingWrites: await loadWrites(pending, codec),
  }
}

export function parentOf({ record: { parent, base } }: CheckpointNode): string | undefined {
  return parent ?? base
}

export function loadWrites(writes: readonly KeptWrite[], codec: Codec): Promise<CheckpointPendingWrite[]> {
  return Promise.all(
    writes.map(
      async ({ task, channel, value }): Promise<CheckpointPendingWrite> => [task, channel, await codec.load(value)],
    ),
  )
}

export function loadChannel(channel: Channel, codec: Codec): Promise<unknown> {
  return isList(channel) ? codec.loadList(itemsOf(channel)) : codec.load(channel.stored)
}
