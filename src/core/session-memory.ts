import { types } from 'node:util'
import type {
  ChatMessage,
  EntryInput,
  HistoryItem,
  MessageInput,
  SummaryInput,
  SummaryMessage,
  ToolCallRecord,
} from './entries.ts'
import type { ShowEntry } from './history.ts'
import { addEntries, addMessages, addSummary, recordToolCall } from './operations/add.ts'
import { compact } from './operations/compact.ts'
import { fork } from './operations/fork.ts'
import { operation } from './operations/operation.ts'
import { describe } from './operations/owners.ts'
import { paths } from './operations/paths.ts'
import { getEntries, getHistory } from './operations/read.ts'
import { recall } from './operations/recall.ts'
import { rewind } from './operations/rewind.ts'
import { deleteSession, expire, sessionInfo } from './operations/sessions.ts'
import { deleteSnapshot, listSnapshots, rollbackToSnapshot, saveSnapshot } from './operations/snapshots.ts'
import { sweep } from './operations/sweep.ts'
import { clear, trim } from './operations/trim.ts'
import { verify } from './operations/verify.ts'
import { check, schemas } from './options.ts'
import type { SessionRuntime } from './store-runtime.ts'
import type {
  Added,
  AddedOne,
  BeginOptions,
  Compacted,
  CompactOptions,
  DeleteOptions,
  DescribeOptions,
  Entries,
  EntriesOptions,
  ExpireOptions,
  Expiry,
  Forked,
  ForkOptions,
  History,
  HistoryOptions,
  ListedSnapshot,
  OperationResult,
  ProgressOptions,
  Recalled,
  RecallOptions,
  RewindOptions,
  Rewound,
  RolledBack,
  SavedSnapshot,
  SessionInfo,
  SessionPaths,
  SnapshotOptions,
  Swept,
  Trimmed,
  TrimOptions,
  TurnOptions,
  Verified,
  WriteOptions,
  Written,
} from './types.ts'

/**
 * The memory of one session: the methods of `MemoryStore`, without the session id. Made by `memory.session(id)`.
 *
 * Every method can also reject with the common errors that `MemoryStore` lists, and costs what the same method costs
 * there. Several of these objects, in one process or in many, may work on the same session.
 */
export class SessionMemory<Message extends object = ChatMessage, StandIn extends object = SummaryMessage> {
  readonly #runtime: SessionRuntime
  readonly #show: ShowEntry<HistoryItem<Message, StandIn>>

  /** The id of the session. */
  readonly id: string

  /** Use `memory.session(id)`, which also checks the id. */
  constructor(runtime: SessionRuntime, id: string) {
    this.#runtime = runtime
    this.#show = runtime.show as ShowEntry<HistoryItem<Message, StandIn>>
    this.id = id
  }

  /**
   * Appends messages to the session, in the order given, all or none. The first append creates the session. Concurrent
   * appends never conflict, however many writers there are. An empty list changes nothing and creates no session.
   * @param messages - The messages: objects with any fields. Key order, numbers, bytes and URLs are kept exactly;
   * everything is copied before the call returns.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seqs of the messages, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit; for an empty list, one read. On SQLite, concurrent writes share a transaction and its sync. Grows
   * with the batch, not with the history.
   */
  addMessages(messages: readonly MessageInput<Message>[], options: BeginOptions = {}): Promise<Added> {
    return this.#runtime.begin('addMessages', this.id, options, (checked) =>
      addMessages(this.#runtime.calls, this.id, messages, checked),
    )
  }

  /**
   * Appends a record of a tool call. It belongs to the session's state and its snapshots, not to the prompt.
   * `getEntries` returns it and `getHistory` does not. `trim` removes it together with the messages around it.
   * @param toolCall - What was called, and its result. Unknown fields and bytes are kept exactly.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seq of the record, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`. Grows with the record, not with the history.
   */
  recordToolCall(toolCall: ToolCallRecord, options: BeginOptions = {}): Promise<AddedOne> {
    return this.#runtime.begin('recordToolCall', this.id, options, (checked) =>
      recordToolCall(this.#runtime.calls, this.id, toolCall, checked),
    )
  }

  /**
   * Appends a summary for `recall` to find. It does not replace any turns; `compact` does that. `trim` and `compact`
   * keep it, and `clear` removes it.
   * @param summary - The text, and an embedding if `recall` is to find it. Plain numbers are rounded to 32-bit floats.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seq of the summary, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`. Grows with the summary, not with the history.
   */
  addSummary(summary: SummaryInput, options: BeginOptions = {}): Promise<AddedOne> {
    return this.#runtime.begin('addSummary', this.id, options, (checked) =>
      addSummary(this.#runtime.calls, this.id, summary, checked),
    )
  }

  /**
   * Appends entries of any kind, in the order given, all or none. It takes what `getEntries` returns. `seq` and `at`
   * are ignored: the store gives new ones. A summary with `standsIn` is shown in the history. `covers` is kept as
   * given. This is how you add records: state that is not part of the prompt. An empty list changes nothing and creates
   * no session.
   * @param entries - The entries, each with its `kind` and its content. Unknown fields of the content and bytes are
   * kept exactly; an entry with other unknown fields is rejected.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seqs of the entries, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`; for an empty list, one read.
   */
  addEntries(entries: readonly EntryInput<Message>[], options: BeginOptions = {}): Promise<Added> {
    return this.#runtime.begin('addEntries', this.id, options, (checked) =>
      addEntries(this.#runtime.calls, this.id, entries, checked),
    )
  }

  /**
   * Reads the conversation, oldest first: the messages, and the summaries that `compact` put in place of turns. Without
   * options it returns everything, with no hidden limit. A session that does not exist reads as empty and is not
   * created. With a budget it returns what `trim` would keep, and changes nothing.
   * @param options - A page (`first`, `last`, `before`, `after`) or a budget (`maxEntries`, `maxTokens` with
   * `countTokens`, `keepSystem`, `startOn`), not both; `at` and `atLeast` go with either. See `HistoryOptions`.
   * @returns An array of messages that also carries `seqs`, `overBudget`, and the `version` and `epoch` it was read at.
   * @throws `SNAPSHOT_NOT_FOUND` for `at`, `SEQ_NOT_FOUND` for `before` and `after`, `MEMORY_LOST` if any entry on the
   * path is missing or unreadable or `atLeast` does not hold, anything that `countTokens` or the store's
   * `summaryMessage` throws, and the common errors.
   * @cost One read per 1,000 entries or 4 MB. A page of up to 600 is one read, however long the history is and wherever
   * the page is, plus one or more if a third of the entries there are of other kinds. A budget takes at least two reads
   * and goes back only as far as the cut requires.
   */
  getHistory(
    options: HistoryOptions<HistoryItem<Message, StandIn>> = {},
  ): Promise<History<HistoryItem<Message, StandIn>>> {
    return this.#runtime.run('getHistory', [this.id], schemas.history, options, (checked) =>
      getHistory(this.#runtime.calls.until(checked.signal), this.id, checked, this.#show),
    )
  }

  /**
   * Reads everything on the path, in order: messages, tool-call records, summaries and records, each with its seq and
   * time. A session that does not exist reads as empty and is not created.
   * @param options - A page (`first`, `last`, `before`, `after`), `kinds`, `at` and `atLeast`; see `EntriesOptions`.
   * @returns An array of entries, typed by `kind`, that also carries the `version` and `epoch` it was read at.
   * @throws `SNAPSHOT_NOT_FOUND` for `at`, `SEQ_NOT_FOUND` for `before` and `after`, `MEMORY_LOST` if any entry on the
   * path is missing or unreadable or `atLeast` does not hold, and the common errors.
   * @cost One read per 1,000 entries or 4 MB. A page of up to 1,000 is one read, however long the session is and
   * wherever the page is, plus one or more if `kinds` leaves out many.
   */
  getEntries(options: EntriesOptions = {}): Promise<Entries<Message>> {
    return this.#runtime.run('getEntries', [this.id], schemas.entries, options, (checked) =>
      getEntries<Message>(this.#runtime.calls.until(checked.signal), this.id, checked),
    )
  }

  /**
   * Cuts the oldest messages for good, so that what stays fits the budget. A cut never separates a tool call from its
   * results, and a newest group that alone exceeds the budget stays whole. Tool-call records before the cut go with it.
   * Summaries stay, and so do records unless `records` is `'cut'`. Snapshots keep reading what was cut. Nothing
   * appended meanwhile is lost.
   * @param options - `maxEntries`, or `maxTokens` with `countTokens`, or both; `keepSystem`; `startOn`; `records`
   * (default: `'keep'`); and `WriteOptions`.
   * @returns How many messages were cut, and whether the rest exceeds the budget. A missing session is not created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, `TypeError` if `countTokens` returns no number >= 0, and the
   * common errors.
   * @cost One read, and one per 1,000 entries or 4 MB on the path; one commit; then a read and a write to sweep at most
   * 1,000 entries. Nothing is committed if nothing is cut and no `operationId` is given.
   */
  trim(options: TrimOptions<HistoryItem<Message, StandIn>>): Promise<Trimmed> {
    return this.#runtime.run('trim', [this.id], schemas.trim, options, (checked) =>
      trim(this.#runtime.calls, this.id, checked, this.#show),
    )
  }

  /**
   * Empties the session. Its snapshots stay, and its seqs continue. To erase everything of a session, use
   * `deleteSession`.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The version and epoch after it; both `null` if there is no session. None is created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is; then a read and a write to sweep at most 1,000 entries.
   */
  clear(options: WriteOptions = {}): Promise<Written> {
    return this.#runtime.write('clear', this.id, options, (checked) => clear(this.#runtime.calls, this.id, checked))
  }

  /**
   * Replaces all but the newest turns with a summary that your function makes. Leading system messages stay in front of
   * the summary. Summaries added by hand and records stay. It also replaces the summary of an earlier compaction.
   * Entries appended while the summary is being made are kept, once. Snapshots keep reading the old turns, so a
   * rollback brings them back.
   * @param options - `keep`, or `keepTokens` with `countTokens`, or both; `summarize` (required); `summaryRole`; and
   * `WriteOptions`. See `CompactOptions`.
   * @returns The seq of the summary and how many messages it replaces; `seq` is `null` if there was nothing to compact.
   * @throws Anything that `summarize` throws, `INVALID_ENTRY` if it returns no summary, `VERSION_CONFLICT`,
   * `OPERATION_CONFLICT`, and the common errors. Nothing changes then.
   * @cost One read, and one per 1,000 entries or 4 MB on the path; the turns to replace are read twice. One commit. If
   * the path changes meanwhile it starts over, and calls `summarize` again only if the turns to replace have changed.
   */
  compact(options: CompactOptions<HistoryItem<Message, StandIn>>): Promise<Compacted> {
    return this.#runtime.run('compact', [this.id], schemas.compact, options, (checked) =>
      compact(this.#runtime.calls.until(checked.signal), this.id, checked, this.#show),
    )
  }

  /**
   * Remembers the current state of the session under an id. Every rollback keeps it. Saving a missing session creates
   * it, empty.
   * @param options - `id` (default: random), `label` (default: `null`), and `BeginOptions`; see `SnapshotOptions`.
   * @returns The snapshot, and the version and epoch after it. The epoch does not change.
   * @throws `SNAPSHOT_EXISTS` if the id is taken, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit of a few bytes, however long the history is.
   */
  saveSnapshot(options: SnapshotOptions = {}): Promise<SavedSnapshot> {
    return this.#runtime.run('saveSnapshot', [this.id], schemas.snapshot, options, (checked) =>
      saveSnapshot(this.#runtime.calls, this.id, checked),
    )
  }

  /**
   * Lists the snapshots of the session in the order they were saved, automatic ones included.
   * @returns The snapshots, each with how many entries it reads; an empty list if there is no such session.
   * @throws `MEMORY_LOST` if the path of a snapshot is missing, and the common errors.
   * @cost One read. Grows with the number of snapshots and of ranges in their paths, not with the history.
   */
  listSnapshots(): Promise<ListedSnapshot[]> {
    return this.#runtime.run('listSnapshots', [this.id], undefined, undefined, () =>
      listSnapshots(this.#runtime.calls, this.id),
    )
  }

  /**
   * Returns how the session got to its current content: the end of its log, its epochs with what started them, and its
   * snapshots. An inspector can draw this. Epochs that nothing needs anymore are removed by `sweep`.
   * @returns The epochs and snapshots at a single moment; `null` if there is no such session or it has expired.
   * @throws `MEMORY_LOST` if a path is missing, and the common errors.
   * @cost One read. Grows with the number of epochs and of ranges in their paths, not with the history.
   */
  paths(): Promise<SessionPaths | null> {
    return this.#runtime.run('paths', [this.id], undefined, undefined, () => paths(this.#runtime.calls, this.id))
  }

  /**
   * Brings back exactly the state that a snapshot saved, with summaries and tool-call records. Nothing is lost: every
   * saved snapshot stays, earlier and later ones, and the state it leaves is kept as an automatic snapshot. The ten
   * newest of these are kept.
   * @param snapshotId - The id of a snapshot of this session, saved or automatic.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The id of the snapshot of the state it left, and the version and epoch after the rollback.
   * @throws `SNAPSHOT_NOT_FOUND`, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is. Grows with the number of ranges in the path, one for
   * each earlier rollback that left turns behind.
   */
  rollbackToSnapshot(snapshotId: string, options: WriteOptions = {}): Promise<RolledBack> {
    return this.#runtime.write('rollbackToSnapshot', this.id, options, (checked) => {
      check(schemas.text, snapshotId, 'snapshotId')
      return rollbackToSnapshot(this.#runtime.calls, this.id, snapshotId, checked)
    })
  }

  /**
   * Deletes a snapshot, and nothing that the session or another snapshot reads.
   * @param snapshotId - The id of a snapshot of this session.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The version and epoch after it. The epoch does not change.
   * @throws `SNAPSHOT_NOT_FOUND`, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit; then a read, which looks at every snapshot of the session, and a write to sweep at most 1,000
   * entries.
   */
  deleteSnapshot(snapshotId: string, options: WriteOptions = {}): Promise<Written> {
    return this.#runtime.write('deleteSnapshot', this.id, options, (checked) => {
      check(schemas.text, snapshotId, 'snapshotId')
      return deleteSnapshot(this.#runtime.calls, this.id, snapshotId, checked)
    })
  }

  /**
   * Cuts everything after an entry, or from an entry on, and returns what it cut. With `add` it puts messages in its
   * place, and with `snapshot` it saves what it leaves, all in one commit. This is how you undo, edit and regenerate.
   * It cuts to the end of the log at the moment it commits, and returns exactly what it cut, including entries appended
   * meanwhile. Snapshots keep reading what was cut. If there is nothing to cut, the epoch stays.
   * @param options - `to`, the seq of the last entry to keep (0 for none), or `before`, the seq of the first entry to
   * cut; `add`, `snapshot` and `WriteOptions`. See `RewindOptions`.
   * @returns The entries it cut, in order, the seqs of those it added, the snapshot, and the version and epoch after
   * it.
   * @throws `SEQ_NOT_FOUND` with the nearest seqs if the seq is not on the path, `SNAPSHOT_EXISTS` if the id is taken,
   * `INVALID_ENTRY` for `add`, `RESULT_GONE` if what was cut no longer exists, `VERSION_CONFLICT`,
   * `OPERATION_CONFLICT`, and the common errors. `BACKEND_FAILED` with `applied: 'unknown'` can mean that the cut was
   * made and could not be read back: repeat it under the same `operationId`.
   * @cost One read, one per 1,000 entries or 4 MB that it cuts, and one commit. It starts over if something is appended
   * meanwhile. The third attempt cuts everything that is there, at the cost of a few more calls to read that back.
   */
  rewind(options: RewindOptions<Message>): Promise<Rewound<Message>> {
    return this.#runtime.run('rewind', [this.id], schemas.rewind, options, (checked) =>
      rewind<Message>(this.#runtime.calls, this.id, checked),
    )
  }

  /**
   * Copies what this session reads, or what one of its snapshots reads, into a new, independent session.
   *
   * The copy has the same entries, numbered from 1 and dated by the time of the copy, the same owner, title and
   * metadata, and no snapshots. The seqs that a summary covers are changed to the new numbers; those of entries that
   * are not copied are left out. The copy is there whole or not at all, however long it is. If the process dies in
   * between, no session is left.
   * @param target - The id of the new session, which must not exist.
   * @param options - `at` (default: the current state), `to` (default: all), `operationId` and `ifVersion`; see
   * `ForkOptions`.
   * @returns How many entries were copied, and the version and epoch of the new session.
   * @throws `SESSION_NOT_FOUND`, `SNAPSHOT_NOT_FOUND` for `at`, `SEQ_NOT_FOUND` for `to`, `VERSION_CONFLICT`,
   * `SESSION_EXISTS` if the target exists, `OPERATION_CONFLICT`, `COPY_LOST`, `MEMORY_LOST`, and the common errors.
   * @cost One read, and one per 1,000 entries or 4 MB. Up to that size, one commit writes the copy. A longer one takes
   * a write per slice, one commit and two more calls; only one slice is held in memory.
   */
  fork(target: string, options: ForkOptions = {}): Promise<Forked> {
    return this.#runtime.run('fork', [this.id, target], schemas.fork, options, (checked) =>
      fork(this.#runtime.calls, this.id, target, checked),
    )
  }

  /**
   * Finds the summaries nearest to an embedding, by exact cosine similarity. It compares with every summary on the path
   * that has an embedding, by brute force. There is no index and no approximation.
   * @param embedding - The query: finite numbers, as many as the stored embeddings have.
   * @param options - `k` (default: 5), `at` and `atLeast`; see `RecallOptions`.
   * @returns At most `k` summaries, nearest first; the older first if equal. Empty if there is no such session.
   * @throws `DIMENSION_MISMATCH`, `SNAPSHOT_NOT_FOUND` for `at`, `MEMORY_LOST` if a summary is missing or unreadable or
   * `atLeast` does not hold, and the common errors.
   * @cost One read for the summaries that are new since the last recall (one per 1,000 or 4 MB), one for those it
   * returns. Comparing grows with the summaries times their dimensions. The store caches up to 64 MiB of embeddings.
   */
  recall(embedding: Float32Array | readonly number[], options: RecallOptions = {}): Promise<Recalled[]> {
    return this.#runtime.run('recall', [this.id], schemas.recall, options, (checked) => {
      const query = check(schemas.embedding, copyOfNumbers(embedding), 'embedding')
      return recall(this.#runtime.calls, this.#runtime.embeddings, this.id, query, checked)
    })
  }

  /**
   * Sets when the session expires: a sliding time to live (`ttl`), a fixed moment (`at`), or `never`. It replaces the
   * store's own `ttl` for this session. An expired session is absent in every call, whether its data was removed or
   * not. It is erased automatically a day later, or immediately by `sweep`.
   * @param options - Exactly one of `ttl` (milliseconds), `at` and `never`, and `WriteOptions`; see `ExpireOptions`.
   * @returns When it expires, and the version and epoch after it; `null` if there is no such session. None is created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is.
   */
  expire(options: ExpireOptions): Promise<Expiry | null> {
    return this.#runtime.run('expire', [this.id], schemas.expire, options, (checked) =>
      expire(this.#runtime.calls, this.id, checked),
    )
  }

  /**
   * Sets the owner, the title or the metadata of the session. Parts that are not given stay, and `null` removes one.
   * They are not part of the conversation: a rollback does not touch them, and the epoch does not change.
   * @param options - At least one of `owner`, `title` and `metadata`, and `WriteOptions`; see `DescribeOptions`.
   * @returns The version and epoch after it.
   * @throws `SESSION_NOT_FOUND`, `INVALID_ENTRY` with the place if the title or the metadata cannot be stored,
   * `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is.
   */
  describe(options: DescribeOptions): Promise<Written> {
    return this.#runtime.run('describe', [this.id], schemas.describe, options, (checked) =>
      describe(this.#runtime.calls, this.id, checked),
    )
  }

  /**
   * Reads everything that must be there of this session, and lists every damaged place. It does not stop at the first,
   * and changes nothing.
   * @param options - `onProgress`; see `ProgressOptions`.
   * @returns Whether everything is intact, how much was read, and each damaged place.
   * @throws Anything that `onProgress` throws, and the common errors. Damaged sessions are listed, not thrown.
   * @cost One read per 1,000 entries or 4 MB that the paths and snapshots read, and one or two per session.
   */
  verify(options: ProgressOptions = {}): Promise<Verified> {
    return this.#runtime.run('verify', [this.id], schemas.progress, options, (checked) =>
      verify(this.#runtime.calls.until(checked.signal), this.id, checked),
    )
  }

  /**
   * Removes what neither the path nor a snapshot of this session reads. `trim`, `clear` and `deleteSnapshot` sweep a
   * little on their own, so it is needed only to reclaim space immediately, or after many rollbacks and rewinds.
   * @param options - `onProgress`; see `ProgressOptions`.
   * @returns How many entries were removed, and this session's id in `damaged` if its state is lost.
   * @throws Anything that `onProgress` throws, and the common errors. Damaged sessions are listed, not thrown.
   * @cost One read per session, and one write per 1,000 entries that it removes.
   */
  sweep(options: ProgressOptions = {}): Promise<Swept> {
    return this.#runtime.run('sweep', [this.id], schemas.progress, options, (checked) =>
      sweep(this.#runtime.calls.until(checked.signal), this.id, checked),
    )
  }

  /**
   * Returns what is known about the session without reading its entries.
   * @returns The info; `null` if there is no such session or it has expired.
   * @throws The common errors.
   * @cost One read of the session's state, however long the history is.
   */
  sessionInfo(): Promise<SessionInfo | null> {
    return this.#runtime.run('sessionInfo', [this.id], undefined, undefined, () =>
      sessionInfo(this.#runtime.calls, this.id),
    )
  }

  /**
   * Erases the session with all its snapshots, immediately. A damaged session can be erased too. For a day the store
   * remembers the ids of the session's last operations, without content, so that a late retry does not bring it back.
   * @param options - `ifVersion` (default: no condition); see `DeleteOptions`.
   * @returns Whether there was such a session.
   * @throws `VERSION_CONFLICT`, and the common errors. Damage does not stop it.
   * @cost One commit that erases it. Then its entries are removed in slices, which grows with the session. If removing
   * them fails the call still resolves, and `sweep` removes them later.
   */
  deleteSession(options: DeleteOptions = {}): Promise<boolean> {
    return this.#runtime.run('deleteSession', [this.id], schemas.delete, options, (checked) => {
      this.#runtime.embeddings.forget(this.id)
      return deleteSession(this.#runtime.calls, this.id, checked)
    })
  }

  /**
   * Returns the result of an operation that a caller named with `operationId`, with the entries it added. This way a
   * repeated request gets its first answer, without asking a model.
   *
   * For any operation, the entries are those that it added to this session: messages, records, summaries, the summary
   * that `compact` made, what `rewind` added, the copies that `fork` made when this session is its target. An operation
   * that added nothing, and `importSession`, has none. To get what a `rewind` cut, repeat the same `rewind`.
   * @param operationId - The `operationId` of the write.
   * @returns The result; `null` if no such operation is remembered. The last 256 that callers named are.
   * @throws `RESULT_GONE` if the operation was applied, and its entries were swept or the session was deleted since;
   * `MEMORY_LOST`, and the common errors.
   * @cost One read, and one per 1,000 entries or 4 MB that it added.
   */
  operation(operationId: string): Promise<OperationResult<Message> | null> {
    return this.#runtime.run('operation', [this.id], undefined, undefined, async () => {
      check(schemas.text, operationId, 'operationId')
      return operation(this.#runtime.calls, this.id, operationId)
    })
  }

  /**
   * Runs your function while it has the turn of this session: one turn at a time, across all processes that take turns.
   *
   * Only writes made through `turn` belong to it. If the turn is lost (the process was stopped or cut off from the
   * backend for longer than `lease`), they are rejected (`TURN_LOST`) and change nothing, `signal` aborts, and the call
   * rejects once your function has ended. Writers that take no turn are not blocked. A turn is not content: it changes
   * no version and creates no session. It does not guard what `fork` writes to another session. Waiters in one process
   * get the turn in the order they came; there is no order among processes.
   * @param run - Gets the session's methods for this turn, and a signal that aborts when the turn is lost, when
   * `options.signal` aborts, or when the store is closed.
   * @param options - `wait` (default: 30,000), `lease` (default: 15,000) and `signal`; see `TurnOptions`.
   * @returns What your function returns.
   * @throws `SESSION_BUSY` if the turn was not free within `wait`, `TURN_LOST`, anything that your function throws, the
   * reason of `signal` if it aborts while the call waits, `TypeError` inside a turn of the same session or if the
   * backend does not support turns, and the common errors. If releasing the turn fails, that is only published: the
   * lease expires.
   * @cost One call to the backend to take the turn, one to end it, and one per third of `lease` in between. While
   * somebody else holds it, one call per 5 to 250 ms, from the first waiter in this process.
   */
  withTurn<T>(
    run: (turn: SessionMemory<Message, StandIn>, signal: AbortSignal) => T | Promise<T>,
    options: TurnOptions = {},
  ): Promise<T> {
    return this.#runtime.withTurn(this.id, options, (runtime, signal) =>
      run(new SessionMemory<Message, StandIn>(runtime, this.id), signal),
    )
  }
}

/** What is no list of numbers is returned as it is, to be refused. */
function copyOfNumbers(given: Float32Array | readonly number[]): Float32Array {
  const numbers: unknown = Array.isArray(given) ? [...given] : given
  const areNumbers = Array.isArray(numbers) && numbers.every((number) => typeof number === 'number')
  return areNumbers || types.isFloat32Array(numbers) ? new Float32Array(numbers as Float32Array) : (numbers as never)
}
