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
  return encodeEach(messages, name, encodeMessage)
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
  return encodeEach(entries, name, encodeInput)
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

function encodeMessage(message: unknown, name: string): EncodedEntry {
  return encodeEntry('message', message, name)
}

/** Places without a value are passed on as well, and refused. */
function encodeEach<T>(
  items: readonly T[],
  name: string,
  encode: (item: T | undefined, name: string) => EncodedEntry,
): EncodedEntry[] {
  const entries: EncodedEntry[] = []
  for (let index = 0; index < items.length; index++) entries.push(encode(items[index], `${name}[${index}]`))
  return entries
}

function addAll(
  calls: Calls,
  session: string,
  method: string,
  entries: readonly EncodedEntry[],
  options: BeginOptions,
): Promise<Added> {
  if (entries.length === 0) return addNothing(calls, session, options)
  return append(calls, session, method, entries, options).then(toAdded)
}

function toAdded({ version, epoch, first, count }: Committed): Added {
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
  const { operationId } = options
  const { id, digest } = makeOperation(method, operationId, operationId ? entries.map(digestable) : nothing)
  const operation = { id, digest }
  const change =
    Object.keys(options).length === 0
      ? { operation, append: entries }
      : { operation, ...conditionsOf(options), ...beginOf(options), append: entries }
  return calls.commit(session, change)
}

const nothing: readonly unknown[] = []

async function addNothing(calls: Calls, session: string, options: BeginOptions): Promise<Added> {
  const { state } = await calls.read(session, {})
  checkConditions(session, foundHead(state), conditionsOf(options))
  return { version: state && versionOf(state), epoch: state && epochOf(state), seqs: [] }
}
