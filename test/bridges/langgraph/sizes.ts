import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const turnBytes = 500

/** The size of a file after that many turns of 500 bytes, a checkpoint after each, compared with the bytes of the turns. */
export async function sizeAfterTurns(turns: number): Promise<{ bytes: number; timesTheTurns: number }> {
  const file = join(await temporaryFolder(), 'agent.db')
  const saver = await UnforgetSaver.fromUrl(`sqlite:${file}`, { durability: 'process' })
  const messages: string[] = []
  let config = { configurable: { thread_id: '1' } }
  for (let turn = 1; turn <= turns; turn++) {
    messages.push(`turn ${turn} `.padEnd(turnBytes, 'abcdefgh'))
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(turn),
      channel_values: { messages: [...messages] },
      channel_versions: { messages: turn },
    }
    const metadata = { source: 'loop' as const, step: turn, parents: {} }
    config = (await saver.put(config, checkpoint, metadata, { messages: turn })) as typeof config
  }
  await saver.close()
  const bytes = statSync(file).size
  return { bytes, timesTheTurns: bytes / (turns * turnBytes) }
}

/** The size of a file after that many turns of a graph with one node. */
export async function sizeAfterGraph(turns: number): Promise<number> {
  const file = join(await temporaryFolder(), 'agent.db')
  const saver = await UnforgetSaver.fromUrl(`sqlite:${file}`, { durability: 'process' })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', ({ messages }) => ({
      messages: [new AIMessage(`answer ${messages.length} `.padEnd(250, 'xyz'))],
    }))
    .addEdge('__start__', 'model')
    .compile({ checkpointer: saver })
  for (let turn = 0; turn < turns; turn++) {
    const question = new HumanMessage(`question ${turn} `.padEnd(250, 'abc'))
    await graph.invoke({ messages: [question] }, { configurable: { thread_id: '1' } })
  }
  await saver.close()
  return statSync(file).size
}
