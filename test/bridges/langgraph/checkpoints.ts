import type { RunnableConfig } from '@langchain/core/runnables'
import { type BaseCheckpointSaver, type Checkpoint, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'

const loop = (step = 0) => ({ source: 'loop' as const, step, parents: {} })
export const thread = (thread_id: string | number, more: object = {}) => ({ configurable: { thread_id, ...more } })

export function checkpointWith(values: Record<string, unknown>, version = 1, id = uuid6(version)): Checkpoint {
  const channel_versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, version]))
  return { ...emptyCheckpoint(), id, channel_values: values, channel_versions }
}

export async function put(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
  checkpoint: Checkpoint,
  metadata: object = {},
) {
  return saver.put(config, checkpoint, { ...loop(), ...metadata }, checkpoint.channel_versions)
}
