import { Annotation, StateGraph } from '@langchain/langgraph'
import { UnforgetSaver } from '../../../../src/bridges/langgraph/index.ts'

/** Runs turns of one thread, each in a turn of the memory, while other processes do the same. */
const { url, name, turns } = JSON.parse(process.argv[2] ?? '') as { url: string; name: string; turns: number }

const saver = await UnforgetSaver.fromUrl(url, { onConflict: 'refuse' })
const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
})
const graph = new StateGraph(State)
  .addNode('answer', ({ log }) => ({ log: [`answer to ${log.at(-1)}`] }))
  .addEdge('__start__', 'answer')
  .compile({ checkpointer: saver })

for (let turn = 0; turn < turns; turn++) {
  await saver.withTurn('shared', (signal) =>
    graph.invoke({ log: [`${name} ${turn}`] }, { configurable: { thread_id: 'shared' }, signal }),
  )
}
await saver.close()
process.disconnect()
