import { checkConditions, foundHead } from '../advance.ts'
import type { Committed, EncodedEntry } from '../backend.ts'
import type { Calls } from '../calls.ts'
import { encodeEntry } from '../encode-entry.ts'
import { encodeInput } from '../encode-input.ts'
import type { EntryInput, SummaryInput, ToolCallRecord } from '../entries.ts'
import { InvalidEntryError } from '../errors.ts'
import { conditionsOf, digestable, makeOperation } from '../operation.ts'
import { beginOf } from '../session-about.ts'
import { epochOf, versionOf } from '../session-state.ts'
import type { Added, AddedOne, BeginOptions } from '../types.ts'

export function addMessages(
  calls: Calls,
  session: string,
  messages: readonly object[],
  options: BeginOptions,
): Promise<Added> {
  return addAll(calls, session, 'addMessages', encodeMessages(messages, 'messages'), options)
}

/** `name` is used in error messages. */
export function encodeMessages(messages: readonly object[], name: string): EncodedEntry[] {
  if (!Array.isArray(messages)) throw new InvalidEntryError(name, 'expected an array of messages')
  return encodeEach(messages, (message, index) => encodeEntry('message', message, `${name}[${index}]`))
}

export async function addEntries(
  calls: Calls,
  session: string,
  entries: readonly EntryInput<object>[],
  options: BeginOptions,
): Promise<Added> {
  return addAll(calls, session, 'addEntries', encodeEntries(entries, 'entries'), options)
}

/** `name` is used in error messages. */
export function encodeEntries(entries: readonly EntryInput<object>[], name: string): EncodedEntry[] {
  if (!Array.isArray(entries)) throw new InvalidEntryError(name, 'expected an array of entries')
  return encodeEach(entries, (entry, index) => encodeInput(entry, `${name}[${index}]`))
}

export async function recordToolCall(
  calls: Calls,
  session: string,
  toolCall: ToolCallRecord,
  options: BeginOptions,
): Promise<AddedOne> {
  return addOne(calls, session, 'recordToolCall', encodeEntry('toolCall', toolCall, 'toolCall'), options)
}

export async function addSummary(
  calls: Calls,
  session: string,
  summary: SummaryInput,
  options: BeginOptions,
): Promise<AddedOne> {
  return addOne(calls, session, 'addSummary', encodeEntry('summary', summary, 'summary'), options)
}

/** Places without a value are passed on as well, and refused. */
function encodeEach<T>(items: readonly T[], encode: (item: T | undefined, index: number) => EncodedEntry) {
  const entries: EncodedEntry[] = []
  for (let index = 0; index < items.length; index++) entries.push(encode(items[index], index))
  return entries
}

async function addAll(
  calls: Calls,
  session: string,
  method: string,
  entries: readonly EncodedEntry[],
  options: BeginOptions,
): Promise<Added> {
  if (entries.length === 0) return addNothing(calls, session, options)
  const { version, epoch, first, count } = await append(calls, session, method, entries, options)
  return { version, epoch, seqs: seqsFrom(first, count) }
}

/** Consecutive seqs. */
export function seqsFrom(first: number, count: number): number[] {
  const seqs: number[] = []
  for (let seq = first; seq < first + count; seq++) seqs.push(seq)
  return seqs
}

async function addOne(
  calls: Calls,
  session: string,
  method: string,
  entry: EncodedEntry,
  options: BeginOptions,
): Promise<AddedOne> {
  const { version, epoch, first } = await append(calls, session, method, [entry], options)
  return { version, epoch, seq: first }
}

function append(
  calls: Calls,
  session: string,
  method: string,
  entries: readonly EncodedEntry[],
  options: BeginOptions,
): Promise<Committed> {
  const { id, digest } = makeOperation(method, options.operationId, options.operationId ? entries.map(digestable) : [])
  return calls.commit(session, {
    operation: { id, digest },
    ...conditionsOf(options),
    ...beginOf(options),
    append: entries,
  })
}

async function addNothing(calls: Calls, session: string, options: BeginOptions): Promise<Added> {
  const { state } = await calls.read(session, {})
  checkConditions(session, foundHead(state), conditionsOf(options))
  return { version: state && versionOf(state), epoch: state && epochOf(state), seqs: [] }
}
