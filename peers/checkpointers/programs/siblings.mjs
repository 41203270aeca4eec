import { Annotation, StateGraph } from '@langchain/langgraph'
import { openSaver } from './savers.mjs'

const checkpointer = await openSaver(process.argv[2])
const turns = Annotation({ reducer: (old, more) => [...old, ...more], default: () => [] })
const graph = new StateGraph(Annotation.Root({ turns })).addNode('answer', () => ({})).addEdge('__start__', 'answer')
const agent = graph.compile({ checkpointer })
const thread = { configurable: { thread_id: '1' } }
await agent.invoke({ turns: ['one'] }, thread)
const { config: parent } = await agent.getState(thread)
await agent.invoke({ turns: ['two-A'] }, parent)
const returned = await agent.invoke({ turns: ['two-B'] }, parent)
const { values } = await agent.getState(thread)
console.log(`invoke returns ${returned.turns.join(', ')}; getState reads ${values.turns.join(', ')}`)
process.exit()
