import type { DeltaChannelHistory } from '@langchain/langgraph-checkpoint'
import type { CheckpointNode } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { loadChannel, loadWrites, parentOf } from './read-tuple.ts'
import type { KeptWrite, ThreadLog } from './thread-log.ts'

/** The writes to a channel since the nearest ancestor that holds its value, oldest first, and that value. */
export async function deltaHistory(
  log: ThreadLog,
  node: CheckpointNode,
  channel: string,
  codec: Codec,
): Promise<DeltaChannelHistory> {
  const { ancestors, seed } = ancestorsToSeed(log, node, channel)
  const writes = ancestors.reverse().flatMap(({ record: { ns = '', id } }) =>
    log
      .writes(ns, id)
      .filter((write) => write.channel === channel)
      .sort(byTask),
  )
  return {
    writes: await loadWrites(writes, codec),
    ...(seed && { seed: await loadChannel(seed, codec) }),
  }
}

/** Newest first; the last one is that of the seed, if there is one. */
export function ancestorsToSeed(log: ThreadLog, node: CheckpointNode, channel: string) {
  const { ns = '' } = node.record
  const ancestors: CheckpointNode[] = []
  let lacking: CheckpointNode | undefined
  for (let at = parentNode(log, ns, node); at !== undefined; at = parentNode(log, ns, at)) {
    ancestors.push(at)
    if (lacking === undefined) lacking = lackingSince(at, channel)
    if (lacking === undefined) return { ancestors, seed: log.stateOf(at).channels.get(channel) }
    if (lacking === at) lacking = undefined
  }
  return { ancestors, seed: undefined }
}

/** The first of a checkpoint and its bases from which on they all lack the channel; `undefined` if it has it. */
function lackingSince(node: CheckpointNode, channel: string): CheckpointNode | undefined {
  let at = node
  for (;;) {
    const { values = {}, lists = {}, gone = {} } = at.record
    if (Object.hasOwn(values, channel) || Object.hasOwn(lists, channel)) return undefined
    if (gone.values?.includes(channel) || at.base === undefined) return at
    at = at.base
  }
}

function parentNode(log: ThreadLog, ns: string, node: CheckpointNode): CheckpointNode | undefined {
  const parent = parentOf(node)
  return parent === undefined ? undefined : log.checkpoint(ns, parent)
}

function byTask(a: KeptWrite, b: KeptWrite): number {
  if (a.task !== b.task) return a.task < b.task ? -1 : 1
  return a.index - b.index
}
