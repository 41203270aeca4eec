import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import type { SessionMemory } from '../../../core/session-memory.ts'
import type { FullStore } from '../../case.ts'
import { same } from './same.ts'
import { texts } from './samples.ts'

/** What an agent does in one turn: a question, a tool call, its result and an answer, one write each. */
export async function speakInTurn(turn: SessionMemory, name: string): Promise<void> {
  await turn.addMessages([{ role: 'user', content: name }])
  await tick()
  await turn.addMessages([{ role: 'assistant', content: name, toolCalls: [{ id: name, name: 'n', arguments: {} }] }])
  await tick()
  await turn.addMessages([{ role: 'tool', toolCallId: name, content: name }])
  await turn.addMessages([{ role: 'assistant', content: name }])
}

/** Each of those turns is there once, whole, and none is mixed with another. */
export async function requireWhole(store: FullStore, session: string, names: readonly string[]): Promise<void> {
  const kept = texts(await store.getHistory(session))
  same(kept.length, names.length * 4, 'how many messages are kept')
  const order = kept.filter((_, index) => index % 4 === 0)
  assert.deepEqual([...order].sort(), [...names].sort(), 'each turn is there once')
  same(
    kept,
    order.flatMap((name) => [name, name, name, name]),
    'no turn is mixed with another',
  )
}
