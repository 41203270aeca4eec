import { isDeepStrictEqual } from 'node:util'
import type { RunnableConfig } from '@langchain/core/runnables'
import type { CheckpointListOptions, CheckpointTuple } from '@langchain/langgraph-checkpoint'
import type { CheckpointNode } from './checkpoint-state.ts'
import type { Codec } from './codec.ts'
import { readTuple } from './read-tuple.ts'
import type { ThreadLog } from './thread-log.ts'
import { textOf } from './thread-place.ts'

/** How many are read at a time: from the oldest of them on, each is a difference to one that is known. */
const chunk = 8

/** The checkpoints of one thread, those put last first. */
export async function* listCheckpoints(
  log: ThreadLog,
  thread: string,
  config: RunnableConfig,
  { before, filter, limit }: CheckpointListOptions,
  codec: Codec,
): AsyncGenerator<CheckpointTuple> {
  let left = limit ?? Number.POSITIVE_INFINITY
  const nodes = candidates(log, config, before).values()
  const wanted = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined)
  while (left > 0) {
    const found: CheckpointNode[] = []
    for (const node of nodes) {
      if (await fits(node, wanted, codec)) found.push(node)
      if (found.length >= Math.min(chunk, left)) break
    }
    if (found.length === 0) return
    for (const node of found.toReversed()) log.stateOf(node)
    for (const node of found) yield await readTuple(log, node, thread, codec)
    left -= found.length
  }
}

function candidates(log: ThreadLog, config: RunnableConfig, before: RunnableConfig | undefined): CheckpointNode[] {
  const ns = textOf(config.configurable?.['checkpoint_ns'], 'checkpoint_ns')
  const id = textOf(config.configurable?.['checkpoint_id'], 'checkpoint_id')
  const isBefore = beforeOf(log, before)
  return (ns === undefined ? log.namespaces() : [ns])
    .flatMap((one) => log.checkpoints(one))
    .filter((node) => (id === undefined || id === '' || node.record.id === id) && isBefore(node))
    .sort((a, b) => b.order - a.order)
}

/** In the namespace of that checkpoint by the order of the puts; elsewhere by the ids, which hold a time. */
function beforeOf(log: ThreadLog, before: RunnableConfig | undefined): (node: CheckpointNode) => boolean {
  const id = textOf(before?.configurable?.['checkpoint_id'], 'checkpoint_id')
  if (id === undefined || id === '') return () => true
  const ns = textOf(before?.configurable?.['checkpoint_ns'], 'checkpoint_ns') ?? ''
  const found = log.checkpoint(ns, id)
  return (node) => (found && (node.record.ns ?? '') === ns ? node.order < found.order : node.record.id < id)
}

async function fits(node: CheckpointNode, wanted: readonly [string, unknown][], codec: Codec): Promise<boolean> {
  if (wanted.length === 0) return true
  const metadata = (await codec.load(node.record.metadata)) as Record<string, unknown>
  return wanted.every(([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value))
}
