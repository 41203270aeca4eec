import type { AgentInputItem, SessionHistoryMutation } from '@openai/agents-core'

/** The first item that the mutations change, and what the history holds from there on; `null` if they change nothing. */
export function replaceFunctionCalls(
  items: readonly AgentInputItem[],
  mutations: readonly SessionHistoryMutation[],
): { from: number; tail: AgentInputItem[] } | null {
  const changed = mutations.reduce(replaceFunctionCall, items)
  const from = changed.findIndex((item, index) => item !== items[index])
  if (from !== -1) return { from, tail: changed.slice(from) }
  return changed.length === items.length ? null : { from: changed.length, tail: [] }
}

/** The replacement takes the place of the first call with the id. Further ones are left out. */
function replaceFunctionCall(
  items: readonly AgentInputItem[],
  { callId, replacement }: SessionHistoryMutation,
): readonly AgentInputItem[] {
  const isCall = (item: AgentInputItem) => item.type === 'function_call' && item.callId === callId
  const first = items.findIndex(isCall)
  return items.flatMap((item, index) => (!isCall(item) ? [item] : index === first ? [replacement] : []))
}
