import { Annotation, StateGraph } from '@langchain/langgraph'
import { openSaver } from './savers.mjs'

const checkpointer = await openSaver(process.argv[2])
const graph = new StateGraph(Annotation.Root({ name: Annotation(), total: Annotation() }))
  .addNode('count', () => ({ total: 10n }))
  .addEdge('__start__', 'count')
  .compile({ checkpointer })
const config = { configurable: { thread_id: '1' }, durability: 'sync' }
const result = await graph.invoke({ name: 'Wang' }, config).catch((error) => error)
const { checkpoint } = await checkpointer.getTuple(config)
console.log(result instanceof Error ? `invoke is rejected with ${result.code}.` : 'invoke succeeds.')
console.log(`The newest state is ${JSON.stringify(checkpoint.channel_values ?? checkpoint)}`)
process.exit()
