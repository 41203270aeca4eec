import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint'
import type { CheckpointNode } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { ancestorsToSeed } from './delta-history.ts'
import { parentOf } from './read-tuple.ts'
import type { ThreadLog } from './thread-log.ts'

/**
 * The newest checkpoints of each namespace, and those that they need to be read. The namespace of one task of a subgraph has its id after a colon,
 * and is of use only to the checkpoints that started the task.
 */
export async function nodesToKeep(log: ThreadLog, keep: number, codec: Codec): Promise<Set<CheckpointNode>> {
  const kept = new Set<CheckpointNode>()
  const keptIds = new Set<string>()
  for (const ns of log.namespaces().toSorted((a, b) => depth(a) - depth(b))) {
    const nodes = log.checkpoints(ns)
    const metadata = await Promise.all(
      nodes.map(async ({ record }) => (await codec.load(record.metadata)) as Partial<CheckpointMetadata>),
    )
    const startedByKept = metadata.some(({ parents = {} }) => Object.values(parents).some((id) => keptIds.has(id)))
    if (ns.includes(':') && !startedByKept) continue
    const deltas = new Set(metadata.flatMap((one) => Object.keys(one.counters_since_delta_snapshot ?? {})))
    for (const node of nodes.slice(-keep)) {
      for (const one of [node, ...neededBy(log, node, deltas)]) {
        kept.add(one)
        keptIds.add(one.record.id)
      }
    }
  }
  return kept
}

/** Task namespaces after those without one, and inner ones after outer ones. */
function depth(ns: string): number {
  return ns === '' ? 0 : ns.split('|').length + (ns.includes(':') ? 1000 : 0)
}

/** Ancestors whose writes make up the value of a delta channel, and the parent of a checkpoint of an older format, whose writes hold its sends. */
function neededBy(log: ThreadLog, node: CheckpointNode, deltas: ReadonlySet<string>): CheckpointNode[] {
  const { channels } = log.stateOf(node)
  const missing = [...deltas].filter((channel) => !channels.has(channel))
  const ancestors = missing.flatMap((channel) => ancestorsToSeed(log, node, channel).ancestors)
  const { v = 4, ns = '' } = node.record
  const parent = v < 4 ? log.checkpoint(ns, parentOf(node) ?? '') : undefined
  return parent ? [...ancestors, parent] : ancestors
}
