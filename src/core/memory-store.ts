import type { Backend, Health, SessionCopy } from './backend.ts'
import type {
  ChatMessage,
  EntryInput,
  HistoryItem,
  MessageInput,
  Summary,
  SummaryInput,
  SummaryMessage,
  ToolCallRecord,
} from './entries.ts'
import { deleteSessions } from './operations/owners.ts'
import { clearAll, deleteAllSessions, listSessions } from './operations/sessions.ts'
import { stats } from './operations/stats.ts'
import { sweep } from './operations/sweep.ts'
import { exportSession, importSession } from './operations/transfer.ts'
import { verify } from './operations/verify.ts'
import { check, checkSession, schemas } from './options.ts'
import { SessionMemory } from './session-memory.ts'
import { StoreRuntime } from './store-runtime.ts'
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
  Imported,
  ImportOptions,
  ListedSnapshot,
  ListOptions,
  OperationResult,
  ProgressOptions,
  Recalled,
  RecallOptions,
  RewindOptions,
  Rewound,
  RolledBack,
  SavedSnapshot,
  SessionInfo,
  SessionPage,
  SessionPaths,
  SnapshotOptions,
  Stats,
  Swept,
  Trimmed,
  TrimOptions,
  TurnOptions,
  Verified,
  WriteOptions,
  Written,
} from './types.ts'

/** Options of every store, on any backend. */
export interface StoreOptions<StandIn extends object = SummaryMessage> {
  /** Sessions expire this many milliseconds after their last write, unless `expire` says otherwise. Default: never. */
  ttl?: number | undefined
  /**
   * Every call to the backend ends within this many milliseconds, including retries; otherwise it fails with `TIMEOUT`.
   * If a call of the store makes several calls to the backend, each has this much. Default: 5,000.
   */
  timeout?: number | undefined
  /**
   * Makes the message that a compaction's summary appears as in the history, for messages that do not look like
   * `{ role, content }`. Budgets count that message, and `summarize` receives it. Called on every read; if it throws, the
   * call rejects with that error. Default: `{ role, content: summary.text }`; see `SummaryMessage`.
   */
  summaryMessage?: ((summary: Summary) => StandIn) | undefined
}

/**
 * Durable memory for agents. A session is an append-only log of entries and a path through it; an entry keeps its `seq`
 * forever. docs/contract.md says what the store promises.
 *
 * `Message` is the type of the messages that go in and come out, `StandIn` the type that a compaction's summary appears
 * as. The store checks neither: a type says what you put in.
 *
 * **Common errors.** Every method can also reject with these:
 *
 * - `StoreClosedError` (`STORE_CLOSED`) after `close`.
 * - `TypeError` (`INVALID_ARGUMENT`) if a session id or an option is not as documented. Unknown options are rejected.
 * - `MemoryStoreBackendError` if the backend failed. `code` says how, and `applied` whether a write was applied.
 *   Transient failures have been retried until the timeout.
 * - `MemoryLostError` (`MEMORY_LOST`) if the state of the session is missing or unreadable while some of it is left.
 *
 * **Costs.** A read or a commit is one call to the backend: one transaction on SQLite, one script on Redis, one
 * statement on PostgreSQL, and one round trip to a server. A call that changes the path starts over if another one
 * changed it meanwhile; appends cause this only for `rewind`.
 *
 * Calls that read many entries do so in slices and let other work run in between.
 *
 * **Expired memory.** What expired more than a day ago is erased automatically, in slices, when a store is opened and
 * during its writes; the day is a margin for wrong clocks. `sweep` erases immediately. A read-only store erases nothing.
 */
export class MemoryStore<Message extends object = ChatMessage, StandIn extends object = SummaryMessage>
  implements AsyncDisposable
{
  readonly #runtime: StoreRuntime

  /**
   * Creates a store on an open backend. `openMemory` does this for the backends of this package.
   * @param backend - The backend. The store owns it from now on: `close` closes it.
   * @param options - `ttl`, `timeout` and `summaryMessage`; see `StoreOptions`.
   * @throws `TypeError` if an option is not as documented.
   */
  constructor(backend: Backend, options: StoreOptions<StandIn> = {}) {
    const { timeout = 5000, ttl, summaryMessage } = check(schemas.store, options, 'options')
    this.#runtime = new StoreRuntime(backend, { timeout, ttl }, summaryMessage)
  }

  /**
   * Returns the same methods for one session, without the session id. It reads nothing and creates nothing. The object
   * can be kept for as long as the store is open. Give it a type if this session has messages of another type than the
   * store: `memory.session<ModelMessage>(id)`.
   * @param session - The session id: any well-formed, non-empty text.
   * @returns The session's methods. The first write creates the session.
   * @throws `TypeError` immediately if the id is empty or ill-formed.
   * @cost No call to the backend.
   */
  session<Own extends object = Message>(session: string): SessionMemory<Own, StandIn> {
    checkSession(session)
    return new SessionMemory(this.#runtime, session)
  }

  /**
   * Appends messages to the session, in the order given, all or none. The first append creates the session. Concurrent
   * appends never conflict, however many writers there are. An empty list changes nothing and creates no session.
   * @param session - The session id: any well-formed, non-empty text.
   * @param messages - The messages: objects with any fields. Key order, numbers, bytes and URLs are kept exactly;
   * everything is copied before the call returns.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seqs of the messages, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit; for an empty list, one read. On SQLite, concurrent writes share a transaction and its sync. Grows
   * with the batch, not with the history.
   */
  addMessages(session: string, messages: readonly MessageInput<Message>[], options: BeginOptions = {}): Promise<Added> {
    return this.#of(session).addMessages(messages, options)
  }

  /**
   * Appends a record of a tool call. It belongs to the session's state and its snapshots, not to the prompt.
   * `getEntries` returns it and `getHistory` does not. `trim` removes it together with the messages around it.
   * @param session - The session id: any well-formed, non-empty text.
   * @param toolCall - What was called, and its result. Unknown fields and bytes are kept exactly.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seq of the record, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`. Grows with the record, not with the history.
   */
  recordToolCall(session: string, toolCall: ToolCallRecord, options: BeginOptions = {}): Promise<AddedOne> {
    return this.#of(session).recordToolCall(toolCall, options)
  }

  /**
   * Appends a summary for `recall` to find. It does not replace any turns; `compact` does that. `trim` and `compact`
   * keep it, and `clear` removes it.
   * @param session - The session id: any well-formed, non-empty text.
   * @param summary - The text, and an embedding if `recall` is to find it. Plain numbers are rounded to 32-bit floats.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seq of the summary, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`. Grows with the summary, not with the history.
   */
  addSummary(session: string, summary: SummaryInput, options: BeginOptions = {}): Promise<AddedOne> {
    return this.#of(session).addSummary(summary, options)
  }

  /**
   * Appends entries of any kind, in the order given, all or none. It takes what `getEntries` returns. `seq` and `at`
   * are ignored: the store gives new ones. A summary with `standsIn` is shown in the history. `covers` is kept as
   * given. This is how you add records: state that is not part of the prompt. An empty list changes nothing and creates
   * no session.
   * @param session - The session id: any well-formed, non-empty text.
   * @param entries - The entries, each with its `kind` and its content. Unknown fields of the content and bytes are
   * kept exactly; an entry with other unknown fields is rejected.
   * @param options - `operationId`, `ifVersion`, `ifEpoch`; for a new session, `owner`, `title`, `metadata`. See
   * `BeginOptions`.
   * @returns The seqs of the entries, and the version and epoch after the append.
   * @throws `INVALID_ENTRY` with its place, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit, as for `addMessages`; for an empty list, one read.
   */
  addEntries(session: string, entries: readonly EntryInput<Message>[], options: BeginOptions = {}): Promise<Added> {
    return this.#of(session).addEntries(entries, options)
  }

  /**
   * Reads the conversation, oldest first: the messages, and the summaries that `compact` put in place of turns. Without
   * options it returns everything, with no hidden limit. A session that does not exist reads as empty and is not
   * created. With a budget it returns what `trim` would keep, and changes nothing.
   * @param session - The session id: any well-formed, non-empty text.
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
    session: string,
    options: HistoryOptions<HistoryItem<Message, StandIn>> = {},
  ): Promise<History<HistoryItem<Message, StandIn>>> {
    return this.#of(session).getHistory(options)
  }

  /**
   * Reads everything on the path, in order: messages, tool-call records, summaries and records, each with its seq and
   * time. A session that does not exist reads as empty and is not created.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - A page (`first`, `last`, `before`, `after`), `kinds`, `at` and `atLeast`; see `EntriesOptions`.
   * @returns An array of entries, typed by `kind`, that also carries the `version` and `epoch` it was read at.
   * @throws `SNAPSHOT_NOT_FOUND` for `at`, `SEQ_NOT_FOUND` for `before` and `after`, `MEMORY_LOST` if any entry on the
   * path is missing or unreadable or `atLeast` does not hold, and the common errors.
   * @cost One read per 1,000 entries or 4 MB. A page of up to 1,000 is one read, however long the session is and
   * wherever the page is, plus one or more if `kinds` leaves out many.
   */
  getEntries(session: string, options: EntriesOptions = {}): Promise<Entries<Message>> {
    return this.#of(session).getEntries(options)
  }

  /**
   * Cuts the oldest messages for good, so that what stays fits the budget. A cut never separates a tool call from its
   * results, and a newest group that alone exceeds the budget stays whole. Tool-call records before the cut go with it.
   * Summaries stay, and so do records unless `records` is `'cut'`. Snapshots keep reading what was cut. Nothing
   * appended meanwhile is lost.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - `maxEntries`, or `maxTokens` with `countTokens`, or both; `keepSystem`; `startOn`; `records`
   * (default: `'keep'`); and `WriteOptions`.
   * @returns How many messages were cut, and whether the rest exceeds the budget. A missing session is not created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, `TypeError` if `countTokens` returns no number >= 0, and the
   * common errors.
   * @cost One read, and one per 1,000 entries or 4 MB on the path; one commit; then a read and a write to sweep at most
   * 1,000 entries. Nothing is committed if nothing is cut and no `operationId` is given.
   */
  trim(session: string, options: TrimOptions<HistoryItem<Message, StandIn>>): Promise<Trimmed> {
    return this.#of(session).trim(options)
  }

  /**
   * Empties the session. Its snapshots stay, and its seqs continue. To erase everything of a session, use
   * `deleteSession`.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The version and epoch after it; both `null` if there is no session. None is created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is; then a read and a write to sweep at most 1,000 entries.
   */
  clear(session: string, options: WriteOptions = {}): Promise<Written> {
    return this.#of(session).clear(options)
  }

  /**
   * Clears every session, and deletes none. Sessions are cleared one by one, 64 at a time. If a call to the backend
   * fails, the sessions cleared before it stay cleared. A damaged session is skipped; its error is thrown last.
   * @returns How many sessions there were.
   * @throws `MEMORY_LOST` of the first damaged session after all others are cleared, and the common errors.
   * @cost One page of `listSessions` per 1,000 sessions, and one `clear` per session.
   */
  clearAll(): Promise<number> {
    return this.#runtime.run('clearAll', [], undefined, undefined, () => clearAll(this.#runtime.calls))
  }

  /**
   * Replaces all but the newest turns with a summary that your function makes. Leading system messages stay in front of
   * the summary. Summaries added by hand and records stay. It also replaces the summary of an earlier compaction.
   * Entries appended while the summary is being made are kept, once. Snapshots keep reading the old turns, so a
   * rollback brings them back.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - `keep`, or `keepTokens` with `countTokens`, or both; `summarize` (required); `summaryRole`; and
   * `WriteOptions`. See `CompactOptions`.
   * @returns The seq of the summary and how many messages it replaces; `seq` is `null` if there was nothing to compact.
   * @throws Anything that `summarize` throws, `INVALID_ENTRY` if it returns no summary, `VERSION_CONFLICT`,
   * `OPERATION_CONFLICT`, and the common errors. Nothing changes then.
   * @cost One read, and one per 1,000 entries or 4 MB on the path; the turns to replace are read twice. One commit. If
   * the path changes meanwhile it starts over, and calls `summarize` again only if the turns to replace have changed.
   */
  compact(session: string, options: CompactOptions<HistoryItem<Message, StandIn>>): Promise<Compacted> {
    return this.#of(session).compact(options)
  }

  /**
   * Remembers the current state of the session under an id. Every rollback keeps it. Saving a missing session creates
   * it, empty.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - `id` (default: random), `label` (default: `null`), and `BeginOptions`; see `SnapshotOptions`.
   * @returns The snapshot, and the version and epoch after it. The epoch does not change.
   * @throws `SNAPSHOT_EXISTS` if the id is taken, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit of a few bytes, however long the history is.
   */
  saveSnapshot(session: string, options: SnapshotOptions = {}): Promise<SavedSnapshot> {
    return this.#of(session).saveSnapshot(options)
  }

  /**
   * Lists the snapshots of the session in the order they were saved, automatic ones included.
   * @param session - The session id: any well-formed, non-empty text.
   * @returns The snapshots, each with how many entries it reads; an empty list if there is no such session.
   * @throws `MEMORY_LOST` if the path of a snapshot is missing, and the common errors.
   * @cost One read. Grows with the number of snapshots and of ranges in their paths, not with the history.
   */
  listSnapshots(session: string): Promise<ListedSnapshot[]> {
    return this.#of(session).listSnapshots()
  }

  /**
   * Returns how the session got to its current content: the end of its log, its epochs with what started them, and its
   * snapshots. An inspector can draw this. Epochs that nothing needs anymore are removed by `sweep`.
   * @param session - The session id: any well-formed, non-empty text.
   * @returns The epochs and snapshots at a single moment; `null` if there is no such session or it has expired.
   * @throws `MEMORY_LOST` if a path is missing, and the common errors.
   * @cost One read. Grows with the number of epochs and of ranges in their paths, not with the history.
   */
  paths(session: string): Promise<SessionPaths | null> {
    return this.#of(session).paths()
  }

  /**
   * Brings back exactly the state that a snapshot saved, with summaries and tool-call records. Nothing is lost: every
   * saved snapshot stays, earlier and later ones, and the state it leaves is kept as an automatic snapshot. The ten
   * newest of these are kept.
   * @param session - The session id: any well-formed, non-empty text.
   * @param snapshotId - The id of a snapshot of this session, saved or automatic.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The id of the snapshot of the state it left, and the version and epoch after the rollback.
   * @throws `SNAPSHOT_NOT_FOUND`, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is. Grows with the number of ranges in the path, one for
   * each earlier rollback that left turns behind.
   */
  rollbackToSnapshot(session: string, snapshotId: string, options: WriteOptions = {}): Promise<RolledBack> {
    return this.#of(session).rollbackToSnapshot(snapshotId, options)
  }

  /**
   * Deletes a snapshot, and nothing that the session or another snapshot reads.
   * @param session - The session id: any well-formed, non-empty text.
   * @param snapshotId - The id of a snapshot of this session.
   * @param options - `operationId`, `ifVersion` and `ifEpoch`; see `WriteOptions`.
   * @returns The version and epoch after it. The epoch does not change.
   * @throws `SNAPSHOT_NOT_FOUND`, `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One commit; then a read, which looks at every snapshot of the session, and a write to sweep at most 1,000
   * entries.
   */
  deleteSnapshot(session: string, snapshotId: string, options: WriteOptions = {}): Promise<Written> {
    return this.#of(session).deleteSnapshot(snapshotId, options)
  }

  /**
   * Cuts everything after an entry, or from an entry on, and returns what it cut. With `add` it puts messages in its
   * place, and with `snapshot` it saves what it leaves, all in one commit. This is how you undo, edit and regenerate.
   * It cuts to the end of the log at the moment it commits, and returns exactly what it cut, including entries appended
   * meanwhile. Snapshots keep reading what was cut. If there is nothing to cut, the epoch stays.
   * @param session - The session id: any well-formed, non-empty text.
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
  rewind(session: string, options: RewindOptions<Message>): Promise<Rewound<Message>> {
    return this.#of(session).rewind(options)
  }

  /**
   * Copies what the session reads, or what one of its snapshots reads, into a new, independent session.
   *
   * The copy has the same entries, numbered from 1 and dated by the time of the copy, the same owner, title and
   * metadata, and no snapshots. The seqs that a summary covers are changed to the new numbers; those of entries that
   * are not copied are left out. The copy is there whole or not at all, however long it is. If the process dies in
   * between, no session is left.
   * @param session - The id of the session to copy.
   * @param target - The id of the new session, which must not exist.
   * @param options - `at` (default: the current state), `to` (default: all), `operationId` and `ifVersion`; see
   * `ForkOptions`.
   * @returns How many entries were copied, and the version and epoch of the new session.
   * @throws `SESSION_NOT_FOUND`, `SNAPSHOT_NOT_FOUND` for `at`, `SEQ_NOT_FOUND` for `to`, `VERSION_CONFLICT`,
   * `SESSION_EXISTS` if the target exists, `OPERATION_CONFLICT`, `COPY_LOST`, `MEMORY_LOST`, and the common errors.
   * @cost One read, and one per 1,000 entries or 4 MB. Up to that size, one commit writes the copy. A longer one takes
   * a write per slice, one commit and two more calls; only one slice is held in memory.
   */
  fork(session: string, target: string, options: ForkOptions = {}): Promise<Forked> {
    return this.#of(session).fork(target, options)
  }

  /**
   * Finds the summaries nearest to an embedding, by exact cosine similarity. It compares with every summary on the path
   * that has an embedding, by brute force. There is no index and no approximation.
   * @param session - The session id: any well-formed, non-empty text.
   * @param embedding - The query: finite numbers, as many as the stored embeddings have.
   * @param options - `k` (default: 5), `at` and `atLeast`; see `RecallOptions`.
   * @returns At most `k` summaries, nearest first; the older first if equal. Empty if there is no such session.
   * @throws `DIMENSION_MISMATCH`, `SNAPSHOT_NOT_FOUND` for `at`, `MEMORY_LOST` if a summary is missing or unreadable or
   * `atLeast` does not hold, and the common errors.
   * @cost One read for the summaries that are new since the last recall (one per 1,000 or 4 MB), one for those it
   * returns. Comparing grows with the summaries times their dimensions. The store caches up to 64 MiB of embeddings.
   */
  recall(
    session: string,
    embedding: Float32Array | readonly number[],
    options: RecallOptions = {},
  ): Promise<Recalled[]> {
    return this.#of(session).recall(embedding, options)
  }

  /**
   * Returns what is known about the session without reading its entries.
   * @param session - The session id: any well-formed, non-empty text.
   * @returns The info; `null` if there is no such session or it has expired.
   * @throws The common errors.
   * @cost One read of the session's state, however long the history is.
   */
  sessionInfo(session: string): Promise<SessionInfo | null> {
    return this.#of(session).sessionInfo()
  }

  /**
   * Lists the sessions, a page at a time, each once. Expired ones are left out. With `owner` it lists the sessions of
   * that owner, most recently written first. A session written during paging moves to the front, so it is missing from
   * the later pages: read the first page again to see it.
   * @param options - `owner` (default: all sessions), `limit` (default: 1,000) and `cursor` (default: the first page);
   * see `ListOptions`.
   * @returns The sessions of the page, the ids of those whose state is lost, and the cursor of the next page.
   * @throws `TypeError` if the cursor is not from this list, or the backend does not support lists by owner, and the
   * common errors.
   * @cost One call to the backend, which grows with the page. On Redis it scans keys, in several round trips. With
   * `owner` it grows with the sessions of that owner, and not with those of others.
   */
  listSessions(options: ListOptions = {}): Promise<SessionPage> {
    return this.#runtime.run('listSessions', [], schemas.list, options, (checked) =>
      listSessions(this.#runtime.calls, checked),
    )
  }

  /**
   * Erases the session with all its snapshots, immediately. A damaged session can be erased too. For a day the store
   * remembers the ids of the session's last operations, without content, so that a late retry does not bring it back.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - `ifVersion` (default: no condition); see `DeleteOptions`.
   * @returns Whether there was such a session.
   * @throws `VERSION_CONFLICT`, and the common errors. Damage does not stop it.
   * @cost One commit that erases it. Then its entries are removed in slices, which grows with the session. If removing
   * them fails the call still resolves, and `sweep` removes them later.
   */
  deleteSession(session: string, options: DeleteOptions = {}): Promise<boolean> {
    return this.#of(session).deleteSession(options)
  }

  /**
   * Erases every session with all its snapshots. Sessions are erased one by one, 64 at a time. If a call to the backend
   * fails, the sessions erased before it stay erased.
   * @returns How many sessions there were.
   * @throws The common errors. Damage does not stop it.
   * @cost One page of `listSessions` per 1,000 sessions, one commit per session, and slices that remove the entries.
   */
  deleteAllSessions(): Promise<number> {
    return this.#runtime.run('deleteAllSessions', [], undefined, undefined, () => {
      this.#runtime.embeddings.clear()
      return deleteAllSessions(this.#runtime.calls)
    })
  }

  /**
   * Erases every session of an owner with all its snapshots, and what is left of expired sessions, as `sweep` does.
   * Sessions are erased one by one, 64 at a time. If a call to the backend fails or the process dies, the sessions
   * erased before it stay erased, and calling it again erases the rest. A session given away meanwhile stays.
   * @param options - `owner` (required).
   * @returns How many sessions this call erased.
   * @throws `TypeError` if the backend does not support lists by owner, and the common errors. Damage does not stop it.
   * @cost One page of `listSessions` per 1,000 sessions of the owner, one commit per session, and slices that remove
   * the entries.
   */
  deleteSessions(options: { owner: string }): Promise<number> {
    return this.#runtime.run('deleteSessions', [], schemas.owned, options, ({ owner }) => {
      this.#runtime.embeddings.clear()
      return deleteSessions(this.#runtime.calls, owner)
    })
  }

  /**
   * Sets the owner, the title or the metadata of the session. Parts that are not given stay, and `null` removes one.
   * They are not part of the conversation: a rollback does not touch them, and the epoch does not change.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - At least one of `owner`, `title` and `metadata`, and `WriteOptions`; see `DescribeOptions`.
   * @returns The version and epoch after it.
   * @throws `SESSION_NOT_FOUND`, `INVALID_ENTRY` with the place if the title or the metadata cannot be stored,
   * `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is.
   */
  describe(session: string, options: DescribeOptions): Promise<Written> {
    return this.#of(session).describe(options)
  }

  /**
   * Sets when the session expires: a sliding time to live (`ttl`), a fixed moment (`at`), or `never`. It replaces the
   * store's own `ttl` for this session. An expired session is absent in every call, whether its data was removed or
   * not. It is erased automatically a day later, or immediately by `sweep`.
   * @param session - The session id: any well-formed, non-empty text.
   * @param options - Exactly one of `ttl` (milliseconds), `at` and `never`, and `WriteOptions`; see `ExpireOptions`.
   * @returns When it expires, and the version and epoch after it; `null` if there is no such session. None is created.
   * @throws `VERSION_CONFLICT`, `OPERATION_CONFLICT`, and the common errors.
   * @cost One read and one commit, however long the history is.
   */
  expire(session: string, options: ExpireOptions): Promise<Expiry | null> {
    return this.#of(session).expire(options)
  }

  /**
   * Reads everything that must exist, in one session or in all, and lists every damaged place. It does not stop at the
   * first, and changes nothing. For all sessions it also looks for entries that belong to no session and, on SQLite,
   * checks the file itself.
   * @param session - The session to check. Default: all sessions.
   * @param options - `onProgress`; see `ProgressOptions`.
   * @returns Whether everything is intact, how much was read, and each damaged place.
   * @throws Anything that `onProgress` throws, and the common errors. Damaged sessions are listed, not thrown.
   * @cost One read per 1,000 entries or 4 MB that the paths and snapshots read, and one or two per session.
   */
  verify(session?: string, options: ProgressOptions = {}): Promise<Verified> {
    return this.#runtime.run('verify', session === undefined ? [] : [session], schemas.progress, options, (checked) =>
      verify(this.#runtime.calls.until(checked.signal), session, checked),
    )
  }

  /**
   * Removes what no path and no snapshot reads. For all sessions it also removes what has expired. It can run alongside
   * any other work. `trim`, `clear` and `deleteSnapshot` sweep a little on their own, so it is needed only to reclaim
   * space immediately, or after many rollbacks and rewinds.
   * @param session - The session to sweep. Default: all sessions.
   * @param options - `onProgress`; see `ProgressOptions`.
   * @returns How many entries were removed, and which sessions were left alone because their state is lost.
   * @throws Anything that `onProgress` throws, and the common errors. Damaged sessions are listed, not thrown.
   * @cost One read per session, and one write per 1,000 entries that it removes.
   */
  sweep(session?: string, options: ProgressOptions = {}): Promise<Swept> {
    return this.#runtime.run('sweep', session === undefined ? [] : [session], schemas.progress, options, (checked) =>
      sweep(this.#runtime.calls.until(checked.signal), session, checked),
    )
  }

  /**
   * Returns the result of an operation that a caller named with `operationId`, with the entries it added. This way a
   * repeated request gets its first answer, without asking a model.
   *
   * For any operation, the entries are those that it added to this session: messages, records, summaries, the summary
   * that `compact` made, what `rewind` added, the copies that `fork` made when this session is its target. An operation
   * that added nothing, and `importSession`, has none. To get what a `rewind` cut, repeat the same `rewind`.
   * @param session - The session id: any well-formed, non-empty text.
   * @param operationId - The `operationId` of the write.
   * @returns The result; `null` if no such operation is remembered. The last 256 that callers named are.
   * @throws `RESULT_GONE` if the operation was applied, and its entries were swept or the session was deleted since;
   * `MEMORY_LOST`, and the common errors.
   * @cost One read, and one per 1,000 entries or 4 MB that it added.
   */
  operation(session: string, operationId: string): Promise<OperationResult<Message> | null> {
    return this.#of(session).operation(operationId)
  }

  /**
   * Runs your function while it has the turn of the session: one turn at a time, across all processes that take turns.
   *
   * Only writes made through `turn` belong to it. If the turn is lost (the process was stopped or cut off from the
   * backend for longer than `lease`), they are rejected (`TURN_LOST`) and change nothing, `signal` aborts, and the call
   * rejects once your function has ended. Writers that take no turn are not blocked. A turn is not content: it changes
   * no version and creates no session. It does not guard what `fork` writes to another session. Waiters in one process
   * get the turn in the order they came; there is no order among processes.
   * @param session - The session id: any well-formed, non-empty text.
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
    session: string,
    run: (turn: SessionMemory<Message, StandIn>, signal: AbortSignal) => T | Promise<T>,
    options: TurnOptions = {},
  ): Promise<T> {
    return this.#of(session).withTurn(run, options)
  }

  /**
   * Counts what is stored and what a sweep would remove. Changes nothing.
   * @returns Sessions, snapshots, entries and bytes in use, what is sweepable, and the ids of damaged sessions.
   * @throws The common errors. Damaged sessions are listed, not thrown.
   * @cost One read per session, and one or more to measure its log, 10,000 entries at a time. Grows with the store.
   */
  stats(): Promise<Stats> {
    return this.#runtime.run('stats', [], undefined, undefined, () => stats(this.#runtime.calls))
  }

  /**
   * Returns the whole session at a single moment: entries, snapshots, paths, versions, times, expiry, owner, title and
   * metadata.
   * @param session - The session id: any well-formed, non-empty text.
   * @returns A copy for `importSession`, in this store or another, on any backend.
   * @throws `SESSION_NOT_FOUND`, `MEMORY_LOST` if any part of it is lost, and the common errors.
   * @cost One or two reads, and one per 1,000 entries or 4 MB. The whole copy is held in memory.
   */
  exportSession(session: string): Promise<SessionCopy> {
    return this.#runtime.run('exportSession', [session], undefined, undefined, () =>
      exportSession(this.#runtime.calls, session),
    )
  }

  /**
   * Writes an exported session into a store where it must not exist. It continues there, with the same seqs, versions
   * and snapshots. It is there whole or not at all, however long it is. Do not change the copy meanwhile.
   * @param copy - What `exportSession` returned. Its `id` is that of the session to create.
   * @param options - `operationId`; see `ImportOptions`.
   * @returns How many entries were written, and the version and epoch that the session was exported with.
   * @throws `INVALID_ENTRY` with the place if anything in the copy is missing, unexpected or damaged, `SESSION_EXISTS`,
   * `OPERATION_CONFLICT`, `COPY_LOST`, and the common errors.
   * @cost Up to 1,000 entries and 4 MB, one commit. A longer copy takes a write per slice, a commit and two more calls.
   */
  importSession(copy: SessionCopy, options: ImportOptions = {}): Promise<Imported> {
    return this.#runtime.run('importSession', [], schemas.import, options, (checked) =>
      importSession(this.#runtime.calls, copy, checked),
    )
  }

  /**
   * Asks the backend whether it works and, in plain words, what can lose memory.
   * @returns The backend's name, its warnings, and details such as the version, the size and the durability.
   * @throws The common errors, also if the backend does not respond.
   * @cost One call to the backend.
   */
  health(): Promise<Health> {
    return this.#runtime.run('health', [], undefined, undefined, () => this.#runtime.calls.health())
  }

  /**
   * Waits for calls in progress and closes the backend. Closing twice is fine. Every later call rejects with
   * `STORE_CLOSED`.
   * @returns A promise that resolves once the backend is closed.
   * @throws Only what closing the backend throws.
   * @cost No call to the backend except its own close. Waits for calls in progress, at most until their deadlines.
   */
  close(): Promise<void> {
    return this.#runtime.close()
  }

  /**
   * Closes the store at the end of an `await using` block, as `close` does.
   * @returns A promise that resolves once the backend is closed.
   * @throws Only what closing the backend throws.
   * @cost As `close`.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #of(session: string): SessionMemory<Message, StandIn> {
    return new SessionMemory(this.#runtime, session)
  }
}
