import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages'
import {
  Annotation,
  Command,
  DeltaValue,
  interrupt,
  MessagesAnnotation,
  Send,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph'
import { createAgent, humanInTheLoopMiddleware, summarizationMiddleware, tool } from 'langchain'
import { z } from 'zod'
import type { AnyGraph, Scenario, Step } from './compare-savers.ts'
import { ScriptedModel } from './scripted-model.ts'

const asGraph = (graph: unknown) => graph as AnyGraph
const human = (content: string) => ({ messages: [new HumanMessage({ content, id: `human-${content}` })] })
const textOf = (message: BaseMessage | undefined) => String(message?.content)

const buyer = new ScriptedModel((messages) => {
  const last = messages.at(-1)
  if (last?.type === 'tool') return { content: `done: ${textOf(last)}` }
  if (!textOf(last).startsWith('buy')) return { content: `you said ${textOf(last)}` }
  return {
    content: 'buying',
    calls: [
      { id: `look-${messages.length}`, name: 'look', args: { what: textOf(last) } },
      { id: `pay-${messages.length}`, name: 'pay', args: { amount: 7 } },
    ],
  }
})

const tools = [
  tool(({ what }) => `found ${what}`, { name: 'look', description: 'looks', schema: z.object({ what: z.string() }) }),
  tool(({ amount }) => `paid ${amount}`, {
    name: 'pay',
    description: 'pays',
    schema: z.object({ amount: z.number() }),
  }),
]

async function stateWith({ graph, config }: Step, fits: (state: { values: { messages?: BaseMessage[] } }) => boolean) {
  for await (const state of graph.getStateHistory(config)) {
    if (fits(state as { values: { messages?: BaseMessage[] } })) return state.config
  }
  throw new Error('no such state')
}

const approval = humanInTheLoopMiddleware({ interruptOn: { pay: true, look: false } } as never)
const summaries = summarizationMiddleware({
  model: new ScriptedModel(() => ({ content: 'what was said' })),
  trigger: { messages: 6 },
  keep: { messages: 3 },
} as never)

const approve = new Command({ resume: { decisions: [{ type: 'approve' }] } })

const agent: Scenario = {
  name: 'an agent with tools, human approval, time travel and an edit that forks',
  compile: (checkpointer) =>
    asGraph(
      createAgent({
        model: buyer,
        tools,
        checkpointer,
        middleware: [approval as never],
      }),
    ),
  steps: [
    ({ graph, config }) => graph.invoke(human('hello'), config),
    ({ graph, config }) => graph.invoke(human('buy a book'), config),
    ({ graph, config }) => graph.invoke(approve, config),
    async (step) => {
      const before = await stateWith(step, ({ values }) => values.messages?.length === 2)
      step.notes.set('before', before)
      return step.graph.invoke(human('buy a pen'), before)
    },
    ({ graph, config }) => graph.invoke(approve, config),
    async ({ graph, notes }) => {
      const before = notes.get('before') ?? {}
      notes.set('edited', await graph.updateState(before, human('buy nothing')))
      return graph.invoke(null, notes.get('edited'))
    },
    ({ graph, notes }) => graph.invoke(human('from the fork'), notes.get('edited') ?? {}),
    ({ graph, config }) => graph.invoke(human('and on'), config),
  ],
}

const summarizing: Scenario = {
  name: 'summarizing middleware',
  compile: (checkpointer) =>
    asGraph(
      createAgent({
        model: new ScriptedModel((messages) => ({ content: `answer to ${messages.length} messages` })),
        tools: [],
        checkpointer,
        middleware: [summaries as never],
      }),
    ),
  steps: Array.from(
    { length: 12 },
    (_, index) =>
      ({ graph, config }) =>
        graph.invoke(human(`turn ${index}`), config),
  ),
}

const Parts = Annotation.Root({
  ...MessagesAnnotation.spec,
  parts: Annotation<string[]>({ reducer: (a, b) => [...a, ...b].sort(), default: () => [] }),
})

function makeNested(): AnyGraph
function makeNested(checkpointer: Parameters<Scenario['compile']>[0]): AnyGraph
function makeNested(checkpointer?: Parameters<Scenario['compile']>[0]): AnyGraph {
  const inner = new StateGraph(Parts)
    .addNode('ask', () => {
      const answer = interrupt('how many?') as string
      return { messages: [new AIMessage({ content: `inner ${answer}`, id: `inner-${answer}` })] }
    })
    .addNode('after', ({ messages }) => ({ parts: [`inner saw ${messages.length}`] }))
    .addEdge('__start__', 'ask')
    .addEdge('ask', 'after')
    .compile()
  const outer = new StateGraph(Parts)
    .addNode('split', () => ({ parts: ['split'] }))
    .addNode('piece', ({ piece }: { piece: string }) => ({ parts: [piece] }))
    .addNode('inner', inner)
    .addNode('forget', ({ messages }) => ({
      messages: messages.slice(0, -2).map(({ id }) => new RemoveMessage({ id: id ?? '' })),
    }))
    .addEdge('__start__', 'split')
    .addConditionalEdges('split', () => ['a', 'b', 'c'].map((piece) => new Send('piece', { piece })))
    .addEdge('piece', 'inner')
    .addEdge('inner', 'forget')
  return asGraph(outer.compile(checkpointer && { checkpointer }))
}

const nested: Scenario = {
  name: 'subgraphs, Send, RemoveMessage and an inner interrupt',
  compile: (checkpointer) => makeNested(checkpointer),
  steps: [
    ({ graph, config }) => graph.invoke(human('one'), config),
    ({ graph, config }) => graph.invoke(new Command({ resume: '1' }), config),
    ({ graph, config }) => graph.invoke(human('two'), config),
    ({ graph, config }) => graph.invoke(new Command({ resume: '2' }), config),
    ({ graph, config }) => graph.invoke(human('three'), config),
    ({ graph, config }) => graph.updateState(config, { parts: ['by hand'] }, 'split'),
    ({ graph, config }) => graph.invoke(null, config),
    ({ graph, config }) => graph.invoke(new Command({ resume: '3' }), config),
  ],
}

const Counting = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  last: Annotation<string>(),
})

const branching: Scenario = {
  name: 'siblings of one parent, updateState with __copy__ and the three durability modes',
  compile: (checkpointer) =>
    asGraph(
      new StateGraph(Counting)
        .addNode('first', ({ last }) => ({ log: [`first ${last}`] }))
        .addNode('second', ({ last }) => ({ log: [`second ${last}`], last: `${last}!` }))
        .addEdge('__start__', 'first')
        .addEdge('first', 'second')
        .compile({ checkpointer }),
    ),
  steps: [
    ({ graph, config }) => graph.invoke({ last: 'a' }, { ...config, durability: 'sync' }),
    async ({ graph, config, notes }) => {
      notes.set('parent', (await graph.getState(config)).config)
      notes.set('left', await graph.updateState(notes.get('parent') ?? {}, { last: 'left', log: ['left'] }, 'first'))
      notes.set('right', await graph.updateState(notes.get('parent') ?? {}, { last: 'right', log: ['right'] }, 'first'))
    },
    async ({ graph, notes }) => notes.set('copy', await graph.updateState(notes.get('left') ?? {}, null, '__copy__')),
    async ({ graph, notes }) => [
      await graph.getState(notes.get('copy') ?? {}),
      await graph.getState(notes.get('left') ?? {}),
      await graph.getState(notes.get('right') ?? {}),
    ],
    ({ graph, notes }) => graph.invoke(null, { ...notes.get('copy'), durability: 'async' }),
    ({ graph, notes }) => graph.invoke(null, { ...notes.get('right'), durability: 'exit' }),
    ({ graph, config }) => graph.invoke({ last: 'b' }, { ...config, durability: 'exit' }),
    ({ graph, config }) => graph.invoke({ last: 'c' }, { ...config, durability: 'exit' }),
    ({ graph, config }) => graph.invoke({ last: 'd' }, { ...config, durability: 'async' }),
    async ({ graph, config, notes }) =>
      notes.set('copy of newest', await graph.updateState((await graph.getState(config)).config, null, '__copy__')),
    ({ graph, config }) => graph.invoke({ last: 'e' }, { ...config, durability: 'sync' }),
  ],
}

const Delta = new StateSchema({
  log: new DeltaValue(
    z.array(z.string()).default(() => []),
    {
      inputSchema: z.array(z.string()),
      reducer: (state: string[], writes: string[][]) => [...state, ...writes.flat()],
      snapshotFrequency: 3,
    },
  ),
})

const delta: Scenario = {
  name: 'delta channels',
  compile: (checkpointer) =>
    asGraph(
      new StateGraph(Delta)
        .addNode('left', ({ log }) => ({ log: [`left saw ${log.length}`] }))
        .addNode('right', ({ log }) => ({ log: [`right saw ${log.length}`] }))
        .addEdge('__start__', 'left')
        .addEdge('left', 'right')
        .compile({ checkpointer }),
    ),
  steps: [
    ...['a', 'b', 'c', 'd'].map(
      (name) =>
        ({ graph, config }: Step) =>
          graph.invoke({ log: [name] }, config),
    ),
    ({ graph, config }) => graph.updateState(config, { log: ['by hand'] }, 'left'),
    ({ graph, config }) => graph.invoke({ log: ['e'] }, { ...config, durability: 'exit' }),
    ({ graph, config }) => graph.invoke({ log: ['f'] }, { ...config, durability: 'sync' }),
  ],
}

export const scenarios: readonly Scenario[] = [agent, summarizing, nested, branching, delta]
