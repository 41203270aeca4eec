import type { SessionHistoryMutation } from '@openai/agents-core'
import type { EntryInput } from '../../core/entries.ts'

type Entry = EntryInput<object>

/** The first entry that the mutations change, and what the session holds from there on; `null` if they change nothing. */
export function replaceFunctionCalls(
  entries: readonly Entry[],
  mutations: readonly SessionHistoryMutation[],
): { from: number; tail: Entry[] } | null {
  const changed = mutations.reduce(replaceFunctionCall, entries)
  const from = changed.findIndex((entry, index) => entry !== entries[index])
  if (from !== -1) return { from, tail: changed.slice(from) }
  return changed.length === entries.length ? null : { from: changed.length, tail: [] }
}

/** The replacement takes the place of the first call with the id. Further ones are left out. */
function replaceFunctionCall(
  entries: readonly Entry[],
  { callId, replacement }: SessionHistoryMutation,
): readonly Entry[] {
  const isCall = (entry: Entry) => {
    if (entry.kind !== 'message') return false
    const { type, callId: id } = entry.message as { type?: unknown; callId?: unknown }
    return type === 'function_call' && id === callId
  }
  const first = entries.findIndex(isCall)
  const replaced: Entry = { kind: 'message', message: replacement }
  return entries.flatMap((entry, index) => (!isCall(entry) ? [entry] : index === first ? [replaced] : []))
}
