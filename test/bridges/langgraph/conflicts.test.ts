import { join } from 'node:path'
import { Annotation, StateGraph } from '@langchain/langgraph'
import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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
