import { join } from 'node:path'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  DeltaValue,
  interrupt,
  MessagesAnnotation,
  Send,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { checkpointWith, put, thread } from './checkpoints.ts'
import { allOf } from './compare-savers.ts'

const config = { configurable: { thread_id: '1' } }

async function openFile(): Promise<() => Promise<UnforgetSaver>> {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  return async () => {
    const saver = await UnforgetSaver.fromUrl(url)
    onTestFinished(() => saver.close())
    return saver
  }
}

const Log = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b].slice(-20), default: () => [] }),
})

function window(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(Log)
    .addNode('answer', ({ log }) => ({ log: [`answer to ${log.at(-1)}`] }))
    .addEdge('__start__', 'answer')
    .compile({ checkpointer })
}

test('the newest checkpoints stay as they were, the rest and their writes go, and the thread goes on', async () => {
  const open = await openFile()
  const saver = await open()
  for (let turn = 0; turn < 60; turn++) await window(saver).invoke({ log: [`turn ${turn}`] }, config)
  await saver.memory.addMessages(saver.sessionOf('1'), [{ role: 'user', content: 'not of LangGraph' }])
  const before = await allOf(saver.list(config))
  const other = await open()
  await other.getTuple(config)
  const entries = (await saver.memory.sessionInfo(saver.sessionOf('1')))?.entries ?? 0

  expect(await saver.prune('1', { keep: 7 })).toEqual({ kept: 7, removed: before.length - 7 })
  const cold = await open()
  for (const one of [saver, cold, other]) expect(await allOf(one.list(config))).toEqual(before.slice(0, 7))
  const left = await cold.memory.sessionInfo(saver.sessionOf('1'))
  expect(left?.entries).toBeLessThan(entries / 10)
  expect(await cold.memory.stats()).toMatchObject({ sweepable: { entries: 0 } })
  expect(await cold.memory.getHistory(saver.sessionOf('1'))).toMatchObject([{ content: 'not of LangGraph' }])
  expect(await cold.memory.verify()).toMatchObject({ ok: true })
  expect(await saver.prune('1', { keep: 7 })).toEqual({ kept: 7, removed: 0 })

  await window(other).invoke({ log: ['after'] }, config)
  const values = (await cold.getTuple(config))?.checkpoint.channel_values['log'] as string[]
  expect(values.slice(-2)).toEqual(['after', 'answer to after'])
  expect(values).toHaveLength(20)
  for (const keep of [0, -1, 1.5, Number.NaN]) await expect(saver.prune('1', { keep })).rejects.toThrow(TypeError)
})

test('another process that puts on a checkpoint that was pruned keeps everything', async () => {
  const open = await openFile()
  const [one, other] = [await open(), await open()]
  for (let turn = 0; turn < 5; turn++) await window(one).invoke({ log: [`turn ${turn}`] }, config)
  const tuple = await other.getTuple(config)
  const [, , , old] = await allOf(other.list(config))
  await one.prune('1', { keep: 1 })
  const { checkpoint } = old ?? {}
  if (!checkpoint || !tuple) throw new Error('no checkpoint')
  const child = { ...checkpoint, id: '1fffffff-ffff-6fff-8fff-ffffffffffff' }
  const put = await other.put(old?.config ?? {}, child, { source: 'fork', step: 9, parents: {} }, {})
  for (const saver of [one, other, await open()]) {
    expect((await saver.getTuple(put))?.checkpoint.channel_values).toEqual(checkpoint.channel_values)
    expect((await saver.getTuple(tuple.config))?.checkpoint).toEqual(tuple.checkpoint)
  }
})

test('an interrupt among the kept checkpoints resumes without running a finished tool again', async () => {
  const ran: string[] = []
  const compile = (checkpointer: BaseCheckpointSaver) =>
    new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage('calling three tools')] }))
      .addNode('tool', ({ name }: { name: string }) => {
        ran.push(name)
        const content = name === 'pay' ? String(interrupt('pay?')) : `did ${name}`
        return { messages: [new ToolMessage({ content, tool_call_id: name })] }
      })
      .addEdge('__start__', 'model')
      .addConditionalEdges('model', () => ['look', 'pay', 'count'].map((name) => new Send('tool', { name })))
      .compile({ checkpointer })
  const open = await openFile()
  for (const answer of ['first', 'second']) {
    ran.length = 0
    await compile(await open()).invoke({ messages: [new HumanMessage(answer)] }, config)
    expect(new Set(ran)).toEqual(new Set(['count', 'look', 'pay']))
    await (await open()).prune('1', { keep: 1 })
    await compile(await open()).invoke(new Command({ resume: answer }), config)
    expect(ran.slice(3)).toEqual(['pay'])
  }
  const tuple = await (await open()).getTuple(config)
  const messages = tuple?.checkpoint.channel_values['messages'] as BaseMessage[]
  expect(messages.map(({ content }) => content)).toEqual(
    ['first', 'second'].flatMap((answer) => [answer, 'calling three tools', 'did look', answer, 'did count']),
  )
})

test('an interrupt inside a subgraph resumes, and the namespaces of finished tasks go', async () => {
  const inner = new StateGraph(Log)
    .addNode('before', () => ({ log: ['before'] }))
    .addNode('ask', () => ({ log: [String(interrupt('?'))] }))
    .addEdge('__start__', 'before')
    .addEdge('before', 'ask')
    .compile()
  const compile = (checkpointer: BaseCheckpointSaver) =>
    new StateGraph(Log).addNode('inner', inner).addEdge('__start__', 'inner').compile({ checkpointer })
  const open = await openFile()
  for (const turn of ['1', '2', '3']) {
    await compile(await open()).invoke({ log: [turn] }, config)
    await (await open()).prune('1', { keep: 1 })
    await compile(await open()).invoke(new Command({ resume: `answer ${turn}` }), config)
  }
  const saver = await open()
  await saver.prune('1', { keep: 1 })
  const tuples = await allOf(saver.list(config))
  expect(tuples.map(({ config: { configurable } }) => configurable?.['checkpoint_ns'])).toEqual([''])
  const log = (await saver.getTuple(config))?.checkpoint.channel_values['log'] as string[]
  expect(log.filter((one) => one.startsWith('answer')).at(-1)).toBe('answer 3')
})

test('a delta channel is what it was, snapshots or none', async () => {
  for (const snapshotFrequency of [3, 1000]) {
    const Delta = new StateSchema({
      log: new DeltaValue(
        z.array(z.string()).default(() => []),
        {
          inputSchema: z.array(z.string()),
          reducer: (state: string[], writes: string[][]) => [...state, ...writes.flat()],
          snapshotFrequency,
        },
      ),
    })
    const compile = (checkpointer: BaseCheckpointSaver) =>
      new StateGraph(Delta)
        .addNode('answer', ({ log }) => ({ log: [`saw ${log.length}`] }))
        .addEdge('__start__', 'answer')
        .compile({ checkpointer })
    const open = await openFile()
    for (let turn = 0; turn < 8; turn++) await compile(await open()).invoke({ log: [`turn ${turn}`] }, config)
    await compile(await open()).updateState(config, { log: ['by hand'] }, 'answer')
    const stateOf = async (one: RunnableConfig) => (await compile(await open()).getState(one)).values
    const before = await stateOf(config)
    await (await open()).prune('1', { keep: 1 })
    expect(await stateOf(config)).toEqual(before)
    await compile(await open()).invoke({ log: ['after'] }, config)
    expect(await stateOf(config)).toEqual({ log: [...(before as { log: string[] }).log, 'after', 'saw 18'] })
  }
})

test('it starts over when the thread is written meanwhile, and loses none of it', async () => {
  const open = await openFile()
  const [pruner, writer] = [await open(), await open()]
  for (let turn = 0; turn < 10; turn++) await window(writer).invoke({ log: [`turn ${turn}`] }, config)
  const results = await Promise.all([
    ...Array.from({ length: 5 }, () => pruner.prune('1', { keep: 3 })),
    (async () => {
      for (let turn = 10; turn < 30; turn++) await window(writer).invoke({ log: [`turn ${turn}`] }, config)
    })(),
  ])
  expect(results).toHaveLength(6)
  for (const saver of [pruner, writer, await open()]) {
    const log = (await saver.getTuple(config))?.checkpoint.channel_values['log']
    const expected = Array.from({ length: 10 }, (_, at) => [`turn ${20 + at}`, `answer to turn ${20 + at}`]).flat()
    expect(log).toEqual(expected)
  }
  expect(await pruner.memory.verify()).toMatchObject({ ok: true })
})

test('a checkpoint that is put between its read and its commit stays', async () => {
  const { serde } = new MemorySaver()
  const writer = await UnforgetSaver.fromUrl('memory:', { serde })
  onTestFinished(() => writer.close())
  let last: RunnableConfig = config
  for (const version of [1, 2, 3, 4]) last = await put(writer, last, checkpointWith({ log: [version] }, version))
  let puts = 0
  const pruner = new UnforgetSaver(writer.memory, {
    serde: {
      dumpsTyped: (value) => serde.dumpsTyped(value),
      async loadsTyped(type, data) {
        puts += 1
        if (puts === 1) await put(writer, last, checkpointWith({ log: [5] }, 5))
        return serde.loadsTyped(type, data)
      },
    },
  })
  expect(await pruner.prune('1', { keep: 2 })).toEqual({ kept: 2, removed: 3 })
  for (const saver of [pruner, writer]) {
    const logs = (await allOf(saver.list(config))).map(({ checkpoint }) => checkpoint.channel_values)
    expect(logs).toEqual([{ log: [5] }, { log: [4] }])
  }
})

test('a checkpoint that was put again counts as new, and writes whose checkpoint comes later stay', async () => {
  const open = await openFile()
  const [saver, reader] = [await open(), await open()]
  const again = checkpointWith({ log: ['a'] }, 1)
  const first = await put(saver, config, again)
  await put(saver, first, checkpointWith({ log: ['a', 'b'] }, 2))
  await put(saver, config, again)
  const later = checkpointWith({ log: ['a', 'c'] }, 3)
  await saver.putWrites(thread('1', { checkpoint_id: later.id }), [['log', 'early']], 'task')
  expect(await saver.prune('1', { keep: 1 })).toEqual({ kept: 1, removed: 1 })
  expect((await reader.getTuple(config))?.checkpoint).toMatchObject({ id: again.id, channel_values: { log: ['a'] } })
  await put(saver, first, later)
  expect((await reader.getTuple(config))?.pendingWrites).toEqual([['task', 'log', 'early']])
})
