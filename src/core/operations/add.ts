import { checkConditions } from '../advance.ts'
import type { Committed, EncodedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { encodeEntry } from '../encode-entry.ts'
import type { SummaryInput, ToolCallRecord } from '../entries.ts'
import { InvalidEntryError } from '../errors.ts'
import { conditionsOf, digestable, makeOperation } from '../operation.ts'
import { epochOf, versionOf } from '../session-state.ts'
import type { Added, AddedOne, WriteOptions } from '../types.ts'

export async function addMessages(
  calls: Calls,
  session: string,
  messages: readonly object[],
  options: WriteOptions,
): Promise<Added> {
  if (!Array.isArray(messages)) throw new InvalidEntryError('messages', 'expected an array of messages')
  const entries: EncodedEntry[] = []
  for (let index = 0; index < messages.length; index++) {
    entries.push(encodeEntry('message', messages[index], `messages[${index}]`))
  }
  if (entries.length === 0) return addNothing(calls, session, options)
  const { version, epoch, first, count } = await append(calls, session, 'addMessages', entries, options)
  const seqs: number[] = []
  for (let seq = first; seq < first + count; seq++) seqs.push(seq)
  return { version, epoch, seqs }
}

export async function recordToolCall(
  calls: Calls,
  session: string,
  toolCall: ToolCallRecord,
  options: WriteOptions,
): Promise<AddedOne> {
  return addOne(calls, session, 'recordToolCall', encodeEntry('toolCall', toolCall, 'toolCall'), options)
}

export async function addSummary(
  calls: Calls,
  session: string,
  summary: SummaryInput,
  options: WriteOptions,
): Promise<AddedOne> {
  return addOne(calls, session, 'addSummary', encodeEntry('summary', summary, 'summary'), options)
}

async function addOne(
  calls: Calls,
  session: string,
  method: string,
  entry: EncodedEntry,
  options: WriteOptions,
): Promise<AddedOne> {
  const { version, epoch, first } = await append(calls, session, method, [entry], options)
  return { version, epoch, seq: first }
}

function append(
  calls: Calls,
  session: string,
  method: string,
  entries: readonly EncodedEntry[],
  options: WriteOptions,
): Promise<Committed> {
  const { id, digest } = makeOperation(method, options.operationId, options.operationId ? entries.map(digestable) : [])
  return calls.commit(session, { operation: { id, digest }, ...conditionsOf(options), append: entries })
}

async function addNothing(calls: Calls, session: string, options: WriteOptions): Promise<Added> {
  const { state } = await calls.read(session, {})
  checkConditions(session, { head: state, snapshotNumber: () => undefined }, conditionsOf(options))
  return { version: state && versionOf(state), epoch: state && epochOf(state), seqs: [] }
}
