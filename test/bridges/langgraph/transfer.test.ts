import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import { expect, onTestFinished, test } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { unforget } from '../../cli/support/run-cli.ts'
import { approvalGraph, shipped, thread } from './approval-graph.ts'
import { allOf } from './compare-savers.ts'
import { expectMoved, waitingThread } from './transfer.ts'

test('a thread that waits for an answer is copied with the command, and goes on there', async () => {
  const { cwd, file } = await waitingThread()
  expect(await unforget(['copy', file, 'other.db'], { cwd })).toMatchObject({ stderr: '', code: 0 })
  await expectMoved(cwd, 'other.db')
})

test('a thread that waits for an answer is exported and imported with the command, and goes on there', async () => {
  const { cwd, file } = await waitingThread()
  const exported = await unforget(['export', file, 'langgraph:user-42', '--output', 'thread.jsonl'], { cwd })
  expect(exported).toMatchObject({ code: 0 })
  expect(await unforget(['import', 'other.db', 'thread.jsonl'], { cwd })).toMatchObject({ code: 0 })
  await expectMoved(cwd, 'other.db')
  const listed = await unforget(['sessions', 'other.db', '--json'], { cwd })
  expect(listed.stdout).toContain('langgraph:user-42')
})

async function onMemory(): Promise<[UnforgetSaver, UnforgetSaver]> {
  const saver = await UnforgetSaver.fromUrl('memory:')
  onTestFinished(() => saver.close())
  return [saver, new UnforgetSaver(saver.memory)]
}

test('an expired thread is gone, also for a saver that had read it, and a graph starts over', async () => {
  const savers = await onMemory()
  const [saver] = savers
  await approvalGraph(saver).start()
  for (const one of savers) expect(await one.getTuple(thread)).toBeDefined()
  await saver.memory.expire(saver.sessionOf('user-42'), { at: new Date(1) })
  for (const one of savers) {
    expect(await one.getTuple(thread)).toBeUndefined()
    expect(await allOf(one.list(thread))).toEqual([])
    expect(await allOf(one.threads())).toEqual([])
  }
  const { start, resume } = approvalGraph(saver)
  await start()
  expect(await resume()).toMatchObject({ log: shipped })
  expect((await savers[1].getTuple(thread))?.checkpoint.channel_values['log']).toEqual(shipped)
})

test('a put to a thread that expired meanwhile stores everything, and brings nothing else back', async () => {
  const [saver, reader] = await onMemory()
  const put = (config: object, version: number, log: string[]) => {
    const channel_versions = { log: version }
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(version), channel_values: { log }, channel_versions }
    return saver.put(config, checkpoint, { source: 'loop', step: version, parents: {} }, channel_versions)
  }
  const first = await put(thread, 1, ['a'])
  await saver.putWrites(first, [['log', ['b']]], 'task')
  await reader.memory.expire(reader.sessionOf('user-42'), { at: new Date(1) })
  const second = await put(first, 2, ['a', 'b'])
  for (const one of [saver, reader]) {
    expect(await allOf(one.list(thread))).toMatchObject([
      { config: second, checkpoint: { channel_values: { log: ['a', 'b'] } } },
    ])
    expect(await one.getTuple(first)).toBeUndefined()
  }
})
