import { setTimeout } from 'node:timers/promises'
import { Annotation, StateGraph } from '@langchain/langgraph'
import { newFile, openSaver, runTwice } from './savers.mjs'

const [, , name, file = newFile(), isWorker = false] = process.argv
const checkpointer = await openSaver(name.replace(', withTurn', ''), file)
const turns = Annotation({ reducer: (old, more) => [...old, ...more], default: () => [] })
const graph = new StateGraph(Annotation.Root({ turns })).addNode('answer', () => setTimeout(20, {}))
const agent = graph.addEdge('__start__', 'answer').compile({ checkpointer })
const config = { configurable: { thread_id: '1' } }
const turn = () => agent.invoke({ turns: ['turn'] }, config)
for (let n = 0; isWorker && n < 50; n++) await (name.includes('withTurn') ? checkpointer.withTurn('1', turn) : turn())
if (!isWorker) await runTwice(name, file, 'worker')
if (!isWorker) console.log('all 100 turns are there:', (await agent.getState(config)).values.turns.length === 100)
process.exit()
