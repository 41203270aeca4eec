import type {
  AgentInputItem,
  SessionHistoryReplaceSuffixTransaction,
  SessionHistoryRewriteArgs,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents-core'
import type { EntryInput } from '../../core/entries.ts'
import { misuse, OperationConflictError } from '../../core/errors.ts'
import { isVersionConflict } from '../../core/recognize-error.ts'
import type { AnySession } from '../helpers/any-session.ts'
import { fingerprint } from '../helpers/fingerprint.ts'
import { replaceFunctionCalls } from './replace-function-calls.ts'
import { SuffixConflictError } from './suffix-conflict-error.ts'

/** The record after a replaced suffix. It tells what was expected, which is gone by then, so that a repeated transaction can be compared. */
const replacedSuffix = 'openai-agents/replaced-suffix'

/** Each conflict means that another writer succeeded, so long series are rare. */
const maxConflicts = 1000

/**
 * A `Session` of the OpenAI Agents SDK whose items are messages of an unforget session.
 *
 * Everything else that unforget does works on it as well: snapshots, rollback, compaction, expiry, export, verify and the
 * command line. A summary that `compact` made is an item, `{ role: 'system', content }`.
 *
 * @example
 * ```ts
 * const memory = await openMemory('sqlite:agent.db')
 * await run(agent, 'My name is Wang', { session: new UnforgetSession(memory.session('user-42')) })
 * ```
 */
export class UnforgetSession implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession {
  readonly #session: AnySession

  /**
   * @param session - `memory.session(id)`, or the `turn` of `withTurn`. Within a turn, no other run that takes turns can
   * write between two items of this one.
   */
  constructor(session: AnySession) {
    this.#session = session
  }

  /** Returns the id of the session. */
  async getSessionId(): Promise<string> {
    return this.#session.id
  }

  /**
   * Reads the items.
   *
   * @param limit - Return only this many of the newest items. Default: all.
   * @returns The items, oldest first, exactly as they were added.
   */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return []
    const isWhole = limit === undefined || limit === Number.POSITIVE_INFINITY
    const history = await this.#session.getHistory(isWhole ? {} : { last: Math.ceil(limit) })
    return [...history] as AgentInputItem[]
  }

  /** Appends the items in order, all of them or none. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length > 0) await this.#session.addMessages(items)
  }

  /**
   * Removes the newest item and returns it. Pops at the same time, in any number of processes, each get another item.
   */
  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#untilNoConflict(async () => {
      const last = await this.#session.getHistory({ last: 1 })
      const [seq] = last.seqs
      if (seq === undefined) return undefined
      await this.#session.rewind({ before: seq, ifVersion: last.version })
      return last[0] as AgentInputItem
    })
  }

  /** Removes all items. Snapshots that were saved stay; `memory.deleteSession` erases those, too. */
  async clearSession(): Promise<void> {
    await this.#session.clear()
  }

  /** Replaces the whole history in one commit. The runner calls it with a compaction item and what follows it. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    await this.#session.rewind({ to: 0, add: items })
  }

  /** Replaces stored function calls, in one commit. Everything else stays, including tool-call records and summaries. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    await this.#untilNoConflict(async () => {
      const entries = await this.#session.getEntries()
      const change = replaceFunctionCalls(entries, mutations)
      const first = change && entries[change.from]
      if (!first) return
      await this.#session.rewind({ before: first.seq, entries: change.tail, ifVersion: entries.version })
    })
  }

  /**
   * Appends items, or replaces the newest ones, in one commit that applies once: the same operation again changes nothing.
   * What was recorded after the first item that is replaced, such as tool calls, is cut with it.
   *
   * @throws `OPERATION_CONFLICT` if the id was used for another transaction, and `SuffixConflictError` if the session does
   * not end with `expectedSuffix`. Nothing was changed then. `RESULT_GONE` if the id was used, and what it added was
   * swept since, so that it cannot be compared.
   */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (typeof operationId !== 'string' || operationId.trim() === '') throw misuse('operationId: expected text')
    if (transaction.type === 'append_items') {
      await this.#session.addMessages(transaction.items, { operationId })
    } else if (transaction.type === 'replace_suffix') {
      await this.#untilNoConflict(() => this.#replaceSuffix(operationId, transaction))
    } else {
      throw misuse("transaction.type: expected 'append_items' or 'replace_suffix'")
    }
  }

  async #replaceSuffix(
    operationId: string,
    { expectedSuffix, replacement }: SessionHistoryReplaceSuffixTransaction,
  ): Promise<void> {
    const replaced = { type: replacedSuffix, expected: fingerprint(expectedSuffix, 'expectedSuffix') }
    const entries: EntryInput<object>[] = [
      ...replacement.map((message) => ({ kind: 'message' as const, message })),
      { kind: 'record', record: replaced },
    ]
    if (await this.#isApplied(operationId, entries)) return
    const suffix = await this.#session.getHistory({ last: expectedSuffix.length })
    if (!areAlike(suffix, expectedSuffix)) throw new SuffixConflictError(this.#session.id)
    const [before] = suffix.seqs
    const options = { operationId, ifVersion: suffix.version }
    if (before === undefined) await this.#session.addEntries(entries, options)
    else await this.#session.rewind({ before, entries, ...options })
  }

  /** The seqs that a repeated replacement would cut are others, so the store cannot tell that it is the same. */
  async #isApplied(operationId: string, entries: readonly EntryInput<object>[]): Promise<boolean> {
    const done = await this.#session.operation(operationId)
    if (done === null) return false
    if (!areAlike(done.entries.map(contentOf), entries.map(contentOf))) {
      throw new OperationConflictError(this.#session.id, operationId)
    }
    return true
  }

  /** Starts over if another writer was first. */
  async #untilNoConflict<T>(attempt: () => Promise<T>): Promise<T> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isVersionConflict(error) || error instanceof SuffixConflictError || conflicts === maxConflicts) throw error
      }
    }
  }
}

function contentOf(entry: EntryInput<object>): object {
  if (entry.kind === 'message') return entry.message
  return entry.kind === 'record' ? entry.record : {}
}

function areAlike(items: readonly object[], others: readonly object[]): boolean {
  const same = (item: object, index: number) =>
    fingerprint(item, `items[${index}]`) === fingerprint(others[index], `items[${index}]`)
  return items.length === others.length && items.every(same)
}
