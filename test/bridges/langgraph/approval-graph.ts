import { Annotation, Command, interrupt, StateGraph } from '@langchain/langgraph'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'

export const thread = { configurable: { thread_id: 'user-42' } }

/** Pays and asks in one step. It stops at the question, with what was paid as a pending write. */
export function approvalGraph(checkpointer: BaseCheckpointSaver) {
  let payments = 0
  const State = Annotation.Root({
    log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  })
  const graph = new StateGraph(State)
    .addNode('pay', () => {
      payments += 1
      return { log: ['paid'] }
    })
    .addNode('ask', () => ({ log: [`approved: ${interrupt('Ship it?')}`] }))
    .addNode('ship', ({ log }) => ({ log: [`shipped after ${log.length}`] }))
    .addEdge('__start__', 'pay')
    .addEdge('__start__', 'ask')
    .addEdge(['pay', 'ask'], 'ship')
    .compile({ checkpointer })
  return {
    /** How often this graph paid. */
    payments: () => payments,
    start: () => graph.invoke({ log: ['ordered'] }, thread),
    resume: () => graph.invoke(new Command({ resume: 'yes' }), thread),
  }
}

export const shipped = ['ordered', 'approved: yes', 'paid', 'shipped after 3']
