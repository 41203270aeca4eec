import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { type BaseCheckpointSaver, Command } from '@langchain/langgraph'
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint'
import { expect, onTestFinished } from 'vitest'
import { migrateThreads, UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { allOf } from './compare-savers.ts'
import { scenarios } from './scenarios.ts'

/** Threads with subgraphs, an interrupt and more checkpoints than a page are copied, the copying stopped and finished, and compared. */
export async function expectMigration(from: BaseCheckpointSaver): Promise<void> {
  const nested = scenarios.find(({ name }) => name.startsWith('subgraphs'))
  if (nested === undefined) throw new Error('no such scenario')
  const threads = ['1', 'two', '3']
  const configOf = (thread_id: string) => ({ configurable: { thread_id } })
  const human = (content: string) => ({ messages: [new HumanMessage({ content, id: content })] })
  for (const thread of threads) {
    for (let turn = 0; turn < 7; turn++) {
      await nested.compile(from).invoke(human(`turn ${turn}`), configOf(thread))
      await nested.compile(from).invoke(new Command({ resume: 'yes' }), configOf(thread))
    }
    await nested.compile(from).invoke(human('waiting'), configOf(thread))
  }
  const to = await UnforgetSaver.fromUrl(`sqlite:${join(await temporaryFolder(), 'agent.db')}`)
  onTestFinished(() => to.close())

  const stopped = new Error('stopped')
  const stop = migrateThreads(from, to, {
    onProgress: ({ threads }) => {
      if (threads === 2) throw stopped
    },
  })
  await expect(stop).rejects.toBe(stopped)
  const told: string[] = []
  const { copied, present } = await migrateThreads(from, to, { onProgress: ({ thread }) => told.push(thread) })
  expect(told.toSorted((a, b) => a.localeCompare(b))).toEqual(['1', '3', 'two'])
  expect(present).toBeGreaterThan(copied)

  const all = await allOf(from.list({ configurable: {} }))
  expect(copied + present).toBe(all.length)
  for (const thread of threads) {
    expect(shown(await allOf(to.list(configOf(thread))))).toBe(shown(await allOf(from.list(configOf(thread)))))
    for (const saver of [from, to]) {
      await nested.compile(saver).invoke(new Command({ resume: 'yes' }), configOf(thread))
    }
    const [theirs, ours] = [
      await nested.compile(from).getState(configOf(thread)),
      await nested.compile(to).getState(configOf(thread)),
    ]
    expect(JSON.stringify(ours.values)).toBe(JSON.stringify(theirs.values))
  }
  expect(await migrateThreads(from, to, { threads: ['1'] })).toMatchObject({ threads: 1 })
}

function shown(tuples: readonly CheckpointTuple[]): string {
  return JSON.stringify(
    tuples
      .map(({ config: { configurable }, checkpoint, metadata, parentConfig, pendingWrites = [] }) => ({
        place: [configurable?.['checkpoint_ns'], configurable?.['checkpoint_id']],
        parent: parentConfig?.configurable?.['checkpoint_id'],
        checkpoint,
        metadata,
        writes: pendingWrites.map((write) => JSON.stringify(write)).toSorted((a, b) => a.localeCompare(b)),
      }))
      .toSorted((a, b) => a.checkpoint.id.localeCompare(b.checkpoint.id)),
    (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)))
        : value,
    1,
  )
}
