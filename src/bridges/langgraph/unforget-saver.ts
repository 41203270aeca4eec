import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunnableConfig } from '@langchain/core/runnables'
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  DeltaChannelHistory,
  PendingWrite,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint'
import { misuse } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { SessionMemory } from '../../core/session-memory.ts'
import type { TurnOptions } from '../../core/types.ts'
import { type OpenOptions, openMemory } from '../../open-memory.ts'
import { BaseCheckpointSaver, WRITES_IDX_MAP } from './checkpoint-package.ts'
import { Codec } from './codec.ts'
import { deltaHistory } from './delta-history.ts'
import { listCheckpoints } from './list-checkpoints.ts'
import { type Pruned, type PruneOptions, prune } from './prune.ts'
import { putCheckpoint } from './put-checkpoint.ts'
import { readTuple } from './read-tuple.ts'
import { type WritesRecord, writesType } from './records.ts'
import type { ThreadLog } from './thread-log.ts'
import { ThreadLogs } from './thread-logs.ts'
import { configOf, placeOf, threadOf } from './thread-place.ts'

/** Options of `UnforgetSaver`. */
export interface SaverOptions {
  /** The session of a thread is this and the thread's id. Default: `langgraph:`. */
  prefix?: string | undefined
  /**
   * What becomes of a checkpoint whose parent is no longer the newest one of its namespace, because another run put one
   * meanwhile. `refuse` rejects with `VERSION_CONFLICT`, and nothing is written: run the turn again. A run from an
   * earlier checkpoint, asked for by its id, is not refused. `allow` keeps both as branches, as LangGraph's own savers do.
   * Default: `allow`.
   */
  onConflict?: 'allow' | 'refuse' | undefined
  /** Serializes values instead of LangGraph's own serializer, for example to encrypt them. */
  serde?: SerializerProtocol | undefined
}

/** Options of `UnforgetSaver.fromUrl`: those of `UnforgetSaver` and of `openMemory`; `prefix` is the saver's. */
export interface OpenSaverOptions extends SaverOptions, Omit<OpenOptions, 'prefix' | 'summaryMessage'> {}

/** What the saver uses of a `MemoryStore`, whatever the type of its messages. */
export type ThreadMemory = Pick<
  MemoryStore<object, object>,
  'session' | 'listSessions' | 'deleteSession' | 'sweep' | 'close'
>

/**
 * A LangGraph checkpointer on an unforget memory. A thread is a session, so `expire`, `exportSession`, `verify`, snapshots
 * and the command line work on threads. A checkpoint is stored as what differs from its parent, so a thread grows with the conversation.
 *
 * Besides the errors of LangGraph's contract, every method can reject with the store's own; see `MemoryStore`.
 */
export class UnforgetSaver<Memory extends ThreadMemory = MemoryStore>
  extends BaseCheckpointSaver
  implements AsyncDisposable
{
  /** The memory that the threads are in. */
  readonly memory: Memory
  readonly #prefix: string
  readonly #refuses: boolean
  readonly #codec: Codec
  readonly #logs: ThreadLogs
  readonly #turn = new AsyncLocalStorage<SessionMemory<object, object>>()
  #ownsMemory = false

  /**
   * Makes a checkpointer on an open memory, which stays the caller's to close.
   *
   * @param memory - What `openMemory` returned. It may hold other sessions too.
   * @param options - `prefix`, `onConflict` and `serde`; see `SaverOptions`.
   * @throws `TypeError` if an option is not as documented.
   */
  constructor(memory: Memory, options: SaverOptions = {}) {
    super(options.serde)
    const { prefix = 'langgraph:', onConflict = 'allow' } = options
    if (typeof prefix !== 'string') throw misuse('options.prefix: expected text')
    if (onConflict !== 'allow' && onConflict !== 'refuse') {
      throw misuse("options.onConflict: expected 'allow' or 'refuse'")
    }
    this.memory = memory
    this.#prefix = prefix
    this.#refuses = onConflict === 'refuse'
    this.#codec = new Codec(options.serde)
    this.#logs = new ThreadLogs((session) => this.memory.session<object>(session))
  }

  /**
   * Opens the memory at a URL and makes a checkpointer on it, which `close` closes.
   *
   * @param url - Where the memory is, as for `openMemory`.
   * @param options - Options of the saver and of `openMemory`; see `OpenSaverOptions`.
   * @returns The checkpointer.
   * @throws What `openMemory` throws.
   */
  static async fromUrl(url: string, options: OpenSaverOptions = {}): Promise<UnforgetSaver> {
    const { prefix, onConflict, serde, ...open } = options
    const memory = await openMemory(url, open)
    const saver = new UnforgetSaver(memory, { prefix, onConflict, serde })
    saver.#ownsMemory = true
    return saver
  }

  /**
   * Returns the id of the session that holds a thread, for the methods of the memory and for the command line.
   *
   * @param thread - The id of the thread.
   * @returns The session's id.
   * @throws `TypeError` if it is not the id of a thread.
   */
  sessionOf(thread: string | number): string {
    return this.#prefix + threadOf(thread)
  }

  /** One read, and what it returns. Reads the thread once if it is not kept in memory. */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.['thread_id'] === undefined) return undefined
    const { thread, ns, id } = placeOf(config)
    const log = this.#logs.of(this.sessionOf(thread))
    await log.catchUp()
    const newest = log.newest(ns)
    const node = id === undefined ? newest : log.checkpoint(ns, id)
    if (node === undefined) return undefined
    if (id !== undefined && node !== newest) log.askedFor.add(node)
    return readTuple(log, node, thread, this.#codec)
  }

  /** Those put last first. Without a thread, thread by thread. */
  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    let left = options.limit ?? Number.POSITIVE_INFINITY
    if (left <= 0) return
    const thread: unknown = config.configurable?.['thread_id']
    const threads = thread === undefined || thread === null ? this.threads() : [threadOf(thread)]
    for await (const thread of threads) {
      const log = this.#logs.of(this.sessionOf(thread))
      await log.catchUp()
      const limit = Number.isFinite(left) ? { limit: left } : { limit: Number.MAX_SAFE_INTEGER }
      for await (const tuple of listCheckpoints(log, thread, config, { ...options, ...limit }, this.#codec)) {
        yield tuple
        left -= 1
      }
      if (left <= 0) return
    }
  }

  /**
   * Lists the ids of the threads, in the backend's order.
   *
   * @returns The ids, each once.
   * @throws The common errors of the memory.
   */
  async *threads(): AsyncGenerator<string> {
    let cursor: string | null = null
    do {
      const page: { sessions: { id: string }[]; cursor: string | null } = await this.memory.listSessions({ cursor })
      for (const { id } of page.sessions) if (id.startsWith(this.#prefix)) yield id.slice(this.#prefix.length)
      cursor = page.cursor
    } while (cursor !== null)
  }

  /** One commit. Reads first if the parent is not known in this process, or with `onConflict: 'refuse'`. */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions = {},
  ): Promise<RunnableConfig> {
    const { thread, ns, id: parent } = placeOf(config)
    const log = this.#logs.of(this.sessionOf(thread))
    const putting = { ns, parent, checkpoint, metadata, newVersions }
    await putCheckpoint(log, this.#writer(log), putting, { codec: this.#codec, refuses: this.#refuses })
    return configOf(thread, ns, checkpoint.id)
  }

  /** One commit, and no read. */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread, ns, id } = placeOf(config)
    if (id === undefined) throw misuse('config.configurable.checkpoint_id: expected the id of a checkpoint')
    if (writes.length === 0) return
    const log = this.#logs.of(this.sessionOf(thread))
    const record: WritesRecord = {
      type: writesType,
      ...(ns !== '' && { ns }),
      id,
      task: taskId,
      writes: await Promise.all(
        writes.map(async ([channel, value], index) => {
          const { stored } = await this.#codec.dump(value, `writes[${index}]`)
          return [WRITES_IDX_MAP[channel] ?? index, channel, stored] as const
        }),
      ),
    }
    log.learn(record, await this.#writer(log).addEntries([{ kind: 'record', record: { ...record } }]))
  }

  /** Erases the thread with everything that belongs to it, at once. */
  override async deleteThread(threadId: string): Promise<void> {
    const session = this.sessionOf(threadId)
    this.#logs.drop(session)
    await this.memory.deleteSession(session)
    this.#logs.drop(session)
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig
    channels: string[]
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { thread, ns, id } = placeOf(options.config)
    const log = this.#logs.of(this.sessionOf(thread))
    await log.catchUp()
    const node = id === undefined ? log.newest(ns) : log.checkpoint(ns, id)
    return Object.fromEntries(
      await Promise.all(
        options.channels.map(
          async (channel): Promise<[string, DeltaChannelHistory]> => [
            channel,
            node ? await deltaHistory(log, node, channel, this.#codec) : { writes: [] },
          ],
        ),
      ),
    )
  }

  /**
   * Removes all but the newest checkpoints of a thread, in one commit, and reclaims their space.
   *
   * The checkpoints that stay keep their writes, so an interrupt among them resumes without running a finished task again. Of subgraphs stays what belongs
   * to them. A delta channel keeps what it needs to be rebuilt. Snapshots of the session keep reading what was removed.
   *
   * @param thread - The id of the thread.
   * @param options - `keep`: how many checkpoints of each namespace stay.
   * @returns How many checkpoints stayed and how many were removed.
   * @throws `VERSION_CONFLICT` if the thread was written 100 times meanwhile, and the common errors of the memory.
   */
  async prune(thread: string | number, options: PruneOptions): Promise<Pruned> {
    const log = this.#logs.of(this.sessionOf(thread))
    const pruned = await prune(log, this.#writer(log), options, this.#codec)
    if (pruned.removed > 0) await this.memory.sweep(log.session)
    return pruned
  }

  /**
   * Runs your function while it has the turn of the thread: one at a time among those who call this, in this process and in others.
   *
   * What the saver writes to the thread inside it belongs to the turn: if the turn is lost, it is refused (`TURN_LOST`).
   *
   * @param thread - The id of the thread.
   * @param run - Gets a signal that aborts when the turn is lost. Pass it on to `invoke`.
   * @param options - `wait`, `lease` and `signal`; see `TurnOptions`.
   * @returns What your function returns.
   * @throws What `MemoryStore.withTurn` throws.
   */
  withTurn<T>(
    thread: string | number,
    run: (signal: AbortSignal) => T | Promise<T>,
    options: TurnOptions = {},
  ): Promise<T> {
    const session = this.memory.session<object>(this.sessionOf(thread))
    return session.withTurn((turn, signal) => this.#turn.run(turn, () => run(signal)), options)
  }

  /** Closes the memory if `fromUrl` opened it. */
  async close(): Promise<void> {
    if (this.#ownsMemory) await this.memory.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Inside `withTurn`, writes to its thread belong to the turn. */
  #writer(log: ThreadLog): SessionMemory<object, object> {
    const turn = this.#turn.getStore()
    return turn?.id === log.session ? turn : this.memory.session<object>(log.session)
  }
}
