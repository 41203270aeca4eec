import { Annotation, StateGraph } from '@langchain/langgraph'
import { openSaver } from './savers.mjs'

const checkpointer = await openSaver(process.argv[2])
const turns = Annotation({ reducer: (old, more) => [...old, ...more], default: () => [] })
const graph = new StateGraph(Annotation.Root({ turns })).addNode('answer', () => ({})).addEdge('__start__', 'answer')
const agent = graph.compile({ checkpointer })
const config = { configurable: { thread_id: '1' } }
await agent.invoke({ turns: ['one'] }, config)
const now = Date.now
Date.now = () => now() - 2_000
await agent.invoke({ turns: ['two'] }, config)
console.log(`after turns one and two: ${(await agent.getState(config)).values.turns.join(', ')}`)
process.exit()
