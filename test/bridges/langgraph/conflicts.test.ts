import { join } from 'node:path'
import { Annotation, StateGraph } from '@langchain/langgraph'
import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { checkpointWith, put } from './checkpoints.ts'

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
})
const config = { configurable: { thread_id: '1' } }

async function twoWorkers(onConflict: 'allow' | 'refuse') {
  const url = `sqlite:${join(await temporaryFolder(), 'agent.db')}`
  const open = async (between: () => Promise<unknown>) => {
    const saver = await UnforgetSaver.fromUrl(url, { onConflict })
    onTestFinished(() => saver.close())
    return new StateGraph(State)
      .addNode('answer', async ({ log }) => {
        await between()
        return { log: [`answer to ${log.at(-1)}`] }
      })
      .addEdge('__start__', 'answer')
      .compile({ checkpointer: saver })
  }
  const fast = await open(async () => {})
  let goOn = () => {}
  let isThere = () => {}
  const overtaken = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const inNode = new Promise<void>((resolve) => {
    isThere = resolve
  })
  const slow = await open(() => {
    isThere()
    return overtaken
  })
  /** A run of the slow worker, in the middle of which the fast one has one of its own. */
  const overtake = async () => {
    const run = slow.invoke({ log: ['slow'] }, { ...config, durability: 'sync' })
    await inNode
    await fast.invoke({ log: ['fast'] }, config)
    goOn()
    return run
  }
  return { fast, overtake }
}

test('a run that was overtaken is refused, and the other one is kept', async () => {
  const { fast, overtake } = await twoWorkers('refuse')
  await fast.invoke({ log: ['first'] }, config)
  await expect(overtake()).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
  const { log } = (await fast.getState(config)).values
  expect(log.slice(-2)).toEqual(['fast', 'answer to fast'])
})

test('without it both are kept as branches', async () => {
  const { fast, overtake } = await twoWorkers('allow')
  await overtake()
  expect((await fast.getState(config)).values.log.at(-1)).toBe('answer to slow')
})

test('a run from an earlier checkpoint and a copy are not refused', async () => {
  const { fast } = await twoWorkers('refuse')
  await fast.invoke({ log: ['first'] }, config)
  const { config: earlier } = await fast.getState(config)
  await fast.invoke({ log: ['second'] }, config)
  await fast.invoke({ log: ['other'] }, earlier)
  expect((await fast.getState(config)).values.log).toEqual(['first', 'answer to first', 'other', 'answer to other'])
  await fast.updateState(earlier, null, '__copy__')
  expect((await fast.getState(config)).values.log).toEqual(['first', 'answer to first'])
})

test('a worker that wrote after it was overtaken, and did not read, is refused', async () => {
  const saver = await UnforgetSaver.fromUrl('memory:', { onConflict: 'refuse' })
  onTestFinished(() => saver.close())
  const other = new UnforgetSaver(saver.memory, { onConflict: 'refuse' })
  const first = await put(saver, config, checkpointWith({ log: ['first'] }, 1))
  await put(other, first, checkpointWith({ log: ['other'] }, 2))
  await saver.putWrites(first, [['log', 'mine']], 'task')
  const refused = put(saver, first, checkpointWith({ log: ['mine'] }, 3))
  await expect(refused).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
  expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual({ log: ['other'] })
})

test('what is written in a turn belongs to it: once the turn is over, it is refused', async () => {
  const saver = await UnforgetSaver.fromUrl('memory:')
  onTestFinished(() => saver.close())
  const first = await put(saver, config, checkpointWith({ log: ['first'] }, 1))
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const elsewhere = { configurable: { thread_id: '2' } }
  const late = await saver.withTurn('1', async () => {
    await put(saver, first, checkpointWith({ log: ['in time'] }, 2))
    const writes: (() => Promise<unknown>)[] = [
      () => put(saver, first, checkpointWith({ log: ['late'] }, 3)),
      () => saver.putWrites(first, [['log', 'late']], 'task'),
      () => saver.prune('1', { keep: 1 }),
      () => put(saver, elsewhere, checkpointWith({ log: ['elsewhere'] }, 1)),
    ]
    return { results: Promise.allSettled(writes.map((write) => over.then(write))) }
  })
  end()
  const lost = { status: 'rejected', reason: { code: 'TURN_LOST' } }
  expect(await late.results).toMatchObject([lost, lost, lost, { status: 'fulfilled' }])
  expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual({ log: ['in time'] })
})
