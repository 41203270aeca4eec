import type { RunnableConfig } from '@langchain/core/runnables'
import { misuse } from '../../core/errors.ts'

/** What a LangGraph config says of a checkpoint. */
export interface ThreadPlace {
  readonly thread: string
  readonly ns: string
  readonly id: string | undefined
}

export function placeOf(config: RunnableConfig): ThreadPlace {
  const { thread_id, checkpoint_ns, checkpoint_id, thread_ts } = config.configurable ?? {}
  return {
    thread: threadOf(thread_id),
    ns: textOf(checkpoint_ns, 'checkpoint_ns') ?? '',
    id: textOf(checkpoint_id, 'checkpoint_id') || textOf(thread_ts, 'thread_ts') || undefined,
  }
}

/** Threads 42 and "42" are one. */
export function threadOf(thread: unknown): string {
  const text = typeof thread === 'number' || typeof thread === 'bigint' ? String(thread) : thread
  if (typeof text !== 'string' || text === '') {
    throw misuse(
      'config.configurable.thread_id: expected the id of a thread, such as { configurable: { thread_id: "1" } }',
    )
  }
  return text
}

export function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw misuse(`config.configurable.${name}: expected text`)
  return value
}

export function configOf(thread: string, ns: string, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } }
}
