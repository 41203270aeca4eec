import { join } from 'node:path'
import { expect } from 'vitest'
import { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'
import { unforget } from '../../cli/support/run-cli.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { approvalGraph, shipped, thread } from './approval-graph.ts'
import { allOf } from './compare-savers.ts'

/** A thread that waits for an answer, in a file of a folder. */
export async function waitingThread(): Promise<{ cwd: string; file: string }> {
  const cwd = await temporaryFolder()
  await using saver = await UnforgetSaver.fromUrl(`sqlite:${join(cwd, 'agent.db')}`)
  const { start, payments } = approvalGraph(saver)
  await start()
  expect(payments()).toBe(1)
  return { cwd, file: 'agent.db' }
}

/** Expects that a thread is in another store as it is in the file, and that it goes on there without paying again. */
export async function expectMoved(cwd: string, store: string): Promise<void> {
  const url = store.includes('://') ? store : `sqlite:${join(cwd, store)}`
  await using from = await UnforgetSaver.fromUrl(`sqlite:${join(cwd, 'agent.db')}`)
  await using to = await UnforgetSaver.fromUrl(url)
  expect(await allOf(to.list(thread))).toEqual(await allOf(from.list(thread)))
  const { resume, payments } = approvalGraph(to)
  expect(await resume()).toMatchObject({ log: shipped })
  expect(payments()).toBe(0)
  expect(await unforget(['verify', store], { cwd })).toMatchObject({ stderr: '', code: 0 })
}
