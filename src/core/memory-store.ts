import { types } from 'node:util'
import type { Backend, Health, SessionCopy } from './backend.ts'
import { Calls } from './calls.ts'
import { publish } from './diagnostics.ts'
import { EmbeddingCache } from './embedding-cache.ts'
import type { MessageInput, SummaryInput, ToolCallRecord } from './entries.ts'
import { StoreClosedError } from './errors.ts'
import { addMessages, addSummary, recordToolCall } from './operations/add.ts'
import { compact } from './operations/compact.ts'
import { fork } from './operations/fork.ts'
import { getEntries, getHistory } from './operations/read.ts'
import { recall } from './operations/recall.ts'
import { rewind } from './operations/rewind.ts'
import { clearAll, deleteAllSessions, deleteSession, expire, listSessions, sessionInfo } from './operations/sessions.ts'
import { deleteSnapshot, listSnapshots, rollbackToSnapshot, saveSnapshot } from './operations/snapshots.ts'
import { stats } from './operations/stats.ts'
import { sweep } from './operations/sweep.ts'
import { exportSession, importSession } from './operations/transfer.ts'
import { clear, trim } from './operations/trim.ts'
import { verify } from './operations/verify.ts'
import { check, checkSession, schemas } from './options.ts'
import { SessionMemory } from './session-memory.ts'
import type {
  Added,
  AddedOne,
  Compacted,
  CompactOptions,
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
  ProgressOptions,
  Recalled,
  RecallOptions,
  RewindOptions,
  Rewound,
  RolledBack,
  SavedSnapshot,
  SessionInfo,
  SessionPage,
  SnapshotOptions,
  Stats,
  Swept,
  Trimmed,
  TrimOptions,
  Verified,
  WriteOptions,
  Written,
} from './types.ts'

export interface StoreOptions {
  /** Sessions expire so many milliseconds after their last write, unless `expire` says otherwise. Without it they stay. */
  ttl?: number | undefined
  /** Every call to the backend ends within so many milliseconds; 5,000 where it is not given. */
  timeout?: number | undefined
}

/**
 * The memory of agents, one log per session. What it promises is written down in docs/contract.md.
 *
 * Every method rejects with a `MemoryStoreError`, whose `code` is stable, or with a `TypeError` if it is called wrongly.
 */
export class MemoryStore implements AsyncDisposable {
  readonly #backend: Backend
  readonly #calls: Calls
  readonly #embeddings = new EmbeddingCache()
  readonly #underWay = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(backend: Backend, options: StoreOptions = {}) {
    const { timeout = 5000, ttl } = check(schemas.store, options, 'options')
    this.#backend = backend
    this.#calls = new Calls(backend, { timeout, ttl })
  }

  /** The same methods for one session, without its id. */
  session(session: string): SessionMemory {
    checkSession(session)
    return new SessionMemory(this, session)
  }

  /** Appends messages, all or none, in their order. One round trip; never a conflict unless a condition is given. */
  addMessages<Message extends MessageInput>(
    session: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<Added> {
    return this.#write('addMessages', session, options, (checked) =>
      addMessages(this.#calls, session, messages, checked),
    )
  }

  /** Appends a record of a tool call. It is part of the session's state, not of the prompt. */
  recordToolCall(session: string, toolCall: ToolCallRecord, options: WriteOptions = {}): Promise<AddedOne> {
    return this.#write('recordToolCall', session, options, (checked) =>
      recordToolCall(this.#calls, session, toolCall, checked),
    )
  }

  /** Appends a summary for `recall` to find. */
  addSummary(session: string, summary: SummaryInput, options: WriteOptions = {}): Promise<AddedOne> {
    return this.#write('addSummary', session, options, (checked) => addSummary(this.#calls, session, summary, checked))
  }

  /** The conversation, oldest first: messages, and the summaries that stand in for turns. All of it, unless less is asked for. */
  getHistory(session: string, options: HistoryOptions = {}): Promise<History> {
    return this.#run('getHistory', [session], schemas.history, options, (checked) =>
      getHistory(this.#calls, session, checked),
    )
  }

  /** Everything on the path in order, typed by `kind`. */
  getEntries(session: string, options: EntriesOptions = {}): Promise<Entries> {
    return this.#run('getEntries', [session], schemas.entries, options, (checked) =>
      getEntries(this.#calls, session, checked),
    )
  }

  /** Cuts the oldest messages for good, never between a tool call and its results. Summaries stay. */
  trim(session: string, options: TrimOptions): Promise<Trimmed> {
    return this.#run('trim', [session], schemas.trim, options, (checked) => trim(this.#calls, session, checked))
  }

  /** Empties the session. Its snapshots stay, and seqs go on. */
  clear(session: string, options: WriteOptions = {}): Promise<Written> {
    return this.#write('clear', session, options, (checked) => clear(this.#calls, session, checked))
  }

  /** Clears every session; resolves to how many there were. */
  clearAll(): Promise<number> {
    return this.#run('clearAll', [], undefined, undefined, () => clearAll(this.#calls))
  }

  /** Replaces all but the newest turns by a summary, in one step that loses nothing appended meanwhile. */
  compact(session: string, options: CompactOptions): Promise<Compacted> {
    return this.#run('compact', [session], schemas.compact, options, (checked) =>
      compact(this.#calls, session, checked),
    )
  }

  /** Remembers the state: a few bytes, whatever the length of the history. */
  saveSnapshot(session: string, options: SnapshotOptions = {}): Promise<SavedSnapshot> {
    return this.#run('saveSnapshot', [session], schemas.snapshot, options, (checked) =>
      saveSnapshot(this.#calls, session, checked),
    )
  }

  /** All snapshots of the session in the order they were saved, automatic ones too. */
  listSnapshots(session: string): Promise<ListedSnapshot[]> {
    return this.#run('listSnapshots', [session], undefined, undefined, () => listSnapshots(this.#calls, session))
  }

  /** Brings exactly that state back. Every saved snapshot stays, and the state left behind is kept as an automatic one. */
  rollbackToSnapshot(session: string, snapshotId: string, options: WriteOptions = {}): Promise<RolledBack> {
    return this.#write('rollbackToSnapshot', session, options, (checked) => {
      check(schemas.text, snapshotId, 'snapshotId')
      return rollbackToSnapshot(this.#calls, session, snapshotId, checked)
    })
  }

  deleteSnapshot(session: string, snapshotId: string, options: WriteOptions = {}): Promise<Written> {
    return this.#write('deleteSnapshot', session, options, (checked) => {
      check(schemas.text, snapshotId, 'snapshotId')
      return deleteSnapshot(this.#calls, session, snapshotId, checked)
    })
  }

  /** Cuts everything behind a seq and returns it. */
  rewind(session: string, options: RewindOptions): Promise<Rewound> {
    return this.#run('rewind', [session], schemas.rewind, options, (checked) => rewind(this.#calls, session, checked))
  }

  /** Copies the session, or one of its snapshots, into one that must not exist yet. */
  fork(session: string, target: string, options: ForkOptions = {}): Promise<Forked> {
    return this.#run('fork', [session, target], schemas.fork, options, (checked) =>
      fork(this.#calls, session, target, checked),
    )
  }

  /** The summaries nearest to an embedding, by exact cosine similarity. */
  recall(
    session: string,
    embedding: Float32Array | readonly number[],
    options: RecallOptions = {},
  ): Promise<Recalled[]> {
    return this.#run('recall', [session], schemas.recall, options, (checked) => {
      const query = check(schemas.embedding, copyOfNumbers(embedding), 'embedding')
      return recall(this.#calls, this.#embeddings, session, query, checked)
    })
  }

  /** `null` if there is no such session. */
  sessionInfo(session: string): Promise<SessionInfo | null> {
    return this.#run('sessionInfo', [session], undefined, undefined, () => sessionInfo(this.#calls, session))
  }

  /** A page of sessions, 1,000 where no limit is given, and the cursor of the next. */
  listSessions(options: { cursor?: string | null | undefined; limit?: number | undefined } = {}): Promise<SessionPage> {
    return this.#run('listSessions', [], schemas.list, options, (checked) => listSessions(this.#calls, checked))
  }

  /** Erases a session with all its snapshots. Resolves to whether there was one. */
  deleteSession(session: string): Promise<boolean> {
    return this.#run('deleteSession', [session], undefined, undefined, () => {
      this.#embeddings.forget(session)
      return deleteSession(this.#calls, session)
    })
  }

  /** Resolves to how many there were. */
  deleteAllSessions(): Promise<number> {
    return this.#run('deleteAllSessions', [], undefined, undefined, () => {
      this.#embeddings.clear()
      return deleteAllSessions(this.#calls)
    })
  }

  /** Gives the session a time to live of its own (`ttl`, sliding), a fixed end (`at`), or none (`never`). */
  expire(session: string, options: ExpireOptions): Promise<Expiry | null> {
    return this.#run('expire', [session], schemas.expire, options, (checked) => expire(this.#calls, session, checked))
  }

  /** Reads everything that must be there, of one session or of all, and lists every place that is damaged. */
  verify(session?: string, options: ProgressOptions = {}): Promise<Verified> {
    return this.#run('verify', session === undefined ? [] : [session], schemas.progress, options, (checked) =>
      verify(this.#calls, session, checked),
    )
  }

  /** Removes what no path and no snapshot reads, and what has expired. */
  sweep(session?: string, options: ProgressOptions = {}): Promise<Swept> {
    return this.#run('sweep', session === undefined ? [] : [session], schemas.progress, options, (checked) =>
      sweep(this.#calls, session, checked),
    )
  }

  /** Counts what there is and what a sweep would remove, and changes nothing. */
  stats(): Promise<Stats> {
    return this.#run('stats', [], undefined, undefined, () => stats(this.#calls))
  }

  /** The session whole, as of one moment: snapshots, paths, versions, times and expiry, and every entry that any of them reads. */
  exportSession(session: string): Promise<SessionCopy> {
    return this.#run('exportSession', [session], undefined, undefined, () => exportSession(this.#calls, session))
  }

  /** Writes a session that was exported into a store where it must not exist yet: it is there whole or not at all. The copy must not be changed until then. */
  importSession(copy: SessionCopy, options: ImportOptions = {}): Promise<Imported> {
    return this.#run('importSession', [], schemas.import, options, (checked) =>
      importSession(this.#calls, copy, checked),
    )
  }

  /** Whether the backend answers, and in plain words what can lose memory. */
  health(): Promise<Health> {
    return this.#run('health', [], undefined, undefined, () => this.#calls.health())
  }

  /** Waits for what is under way, then closes. Closing again is fine. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => {
      this.#embeddings.clear()
      return this.#backend.close()
    })
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #write<T>(
    method: string,
    session: string,
    options: WriteOptions,
    run: (checked: WriteOptions) => Promise<T>,
  ): Promise<T> {
    return this.#run(method, [session], schemas.write, options, run)
  }

  async #run<T, Options>(
    method: string,
    sessions: readonly string[],
    schema: Parameters<typeof check>[0] | undefined,
    options: Options,
    run: (checked: Options) => Promise<T>,
  ): Promise<T> {
    if (this.#closing !== undefined) throw new StoreClosedError()
    for (const session of sessions) checkSession(session)
    const checked = schema === undefined ? options : check(schema, options, 'options')
    const started = performance.now()
    const running = run(checked)
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
      const milliseconds = performance.now() - started
      if (milliseconds > this.#calls.timeout / 5) publish('slow', { method, milliseconds })
    }
  }
}

/** What is no list of numbers is returned as it is, to be refused. */
function copyOfNumbers(given: Float32Array | readonly number[]): Float32Array {
  const numbers: unknown = Array.isArray(given) ? [...given] : given
  const areNumbers = Array.isArray(numbers) && numbers.every((number) => typeof number === 'number')
  return areNumbers || types.isFloat32Array(numbers) ? new Float32Array(numbers as Float32Array) : (numbers as never)
}
