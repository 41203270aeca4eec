import type { RunnableConfig } from '@langchain/core/runnables'
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph'
import { expect } from 'vitest'
import type { UnforgetSaver } from '../../../src/bridges/langgraph/index.ts'

/** What the steps use of a compiled graph, whatever its state is. */
export interface AnyGraph {
  invoke(input: unknown, config?: object): Promise<unknown>
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<AnyState>
  getStateHistory(config: RunnableConfig, options?: object): AsyncIterableIterator<AnyState>
  updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig>
}

export interface AnyState {
  readonly config: RunnableConfig
  readonly next: readonly string[]
  readonly values: unknown
  readonly tasks: readonly unknown[]
}

export interface Step {
  readonly graph: AnyGraph
  readonly saver: BaseCheckpointSaver
  readonly config: { configurable: { thread_id: string } }
  /** What earlier steps of the same run left. */
  readonly notes: Map<string, RunnableConfig>
}

export interface Scenario {
  readonly name: string
  readonly compile: (saver: BaseCheckpointSaver) => AnyGraph
  readonly steps: readonly ((step: Step) => Promise<unknown>)[]
}

/** Runs the steps with `MemorySaver` and with ours, opened anew for every step, and compares everything that can be seen after each. */
export async function compareWithMemorySaver(scenario: Scenario, open: () => Promise<UnforgetSaver>): Promise<void> {
  const memorySaver = new MemorySaver()
  const theirs = new Map<string, RunnableConfig>()
  const ours = new Map<string, RunnableConfig>()
  for (const [index, step] of scenario.steps.entries()) {
    const expected = await seenAfter(scenario, memorySaver, step, theirs)
    const saver = await open()
    const actual = await seenAfter(scenario, saver, step, ours)
    await saver.close()
    expect(actual, `after step ${index + 1}`).toBe(expected)
  }
}

async function seenAfter(
  { compile }: Scenario,
  saver: BaseCheckpointSaver,
  step: Scenario['steps'][number],
  notes: Map<string, RunnableConfig>,
): Promise<string> {
  const graph = compile(saver)
  const config = { configurable: { thread_id: 'thread' } }
  const result = await step({ graph, saver, config, notes })
  const state = await graph.getState(config, { subgraphs: true })
  const history = await allOf(graph.getStateHistory(config))
  const tuples = await allOf(saver.list(config))
  const byNamespace = tuples.sort((a, b) => placeOf(a.config).localeCompare(placeOf(b.config)))
  return withoutChance(JSON.stringify({ result, state, history, tuples: byNamespace }, sortKeys, 1))
}

/** The ids of tasks are by chance, those of checkpoints ascend. */
function placeOf({ configurable }: RunnableConfig): string {
  const { checkpoint_ns, checkpoint_id } = configurable ?? {}
  return `${String(checkpoint_ns).replaceAll(/[0-9a-f-]{36}/g, '')} ${checkpoint_id}`
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The order of keys is no part of a state. */
function sortKeys(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [value.constructor.name, ...value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)))
}

/** Ids are numbered in the order they appear, and times are left out. */
function withoutChance(text: string): string {
  const ids = new Map<string, number>()
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? ids.size + 1)
      return `id-${ids.get(id)}`
    })
    .replaceAll(/"[0-9a-f]{32}"/g, (id) => {
      ids.set(id, ids.get(id) ?? ids.size + 1)
      return `"id-${ids.get(id)}"`
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'time')
}
