import { once } from 'node:events'
import type { RunnableConfig } from '@langchain/core/runnables'
import { Annotation, StateGraph } from '@langchain/langgraph'
import type { ChannelVersions, Checkpoint, CheckpointMetadata, PendingWrite } from '@langchain/langgraph-checkpoint'
import { UnforgetSaver } from '../../../../src/bridges/langgraph/index.ts'
import { openMemory } from '../../../../src/index.ts'

/** What the child tells of a write once it is acknowledged. */
export type Acknowledged = { checkpoint: string } | { checkpoint: string; task: string; channels: string[] }

const { url } = JSON.parse(process.argv[2] ?? '') as { url: string }

class TellingSaver extends UnforgetSaver {
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const result = await super.put(config, checkpoint, metadata, newVersions)
    process.send?.({ checkpoint: checkpoint.id } satisfies Acknowledged)
    return result
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
    await super.putWrites(config, writes, task)
    const checkpoint = String(config.configurable?.['checkpoint_id'])
    process.send?.({ checkpoint, task, channels: writes.map(([channel]) => channel) } satisfies Acknowledged)
  }
}

process.send?.('ready')
await once(process, 'message')

const saver = new TellingSaver(await openMemory(url))
const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
})
const turnOf = (log: readonly string[]) => log.at(-1)?.split(' ')[0]
const graph = new StateGraph(State)
  .addNode('a', ({ log }) => ({ log: [`${turnOf(log)} a`] }))
  .addNode('b', ({ log }) => ({ log: [`${turnOf(log)} b`] }))
  .addNode('c', ({ log }) => ({ log: [`${turnOf(log)} c`] }))
  .addEdge('__start__', 'a')
  .addEdge('a', 'b')
  .addEdge('b', 'c')
  .compile({ checkpointer: saver })

const config = { configurable: { thread_id: 'killed' } }
for (;;) {
  const { next, values } = await graph.getState(config)
  const { pendingWrites = [] } = (await saver.getTuple(config)) ?? {}
  const { log = [] } = values as { log?: string[] }
  // `next` leaves out a task whose writes are there and whose checkpoint is not: that step is still to be finished.
  const isUnderWay = next.length > 0 || pendingWrites.length > 0
  await graph.invoke(isUnderWay ? null : { log: [`${log.length / 4} asked`] }, config)
}
