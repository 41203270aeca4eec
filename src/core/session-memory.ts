import type { MessageInput, SummaryInput, ToolCallRecord } from './entries.ts'
import type { MemoryStore } from './memory-store.ts'
import type {
  CompactOptions,
  EntriesOptions,
  ExpireOptions,
  ForkOptions,
  HistoryOptions,
  RecallOptions,
  RewindOptions,
  SnapshotOptions,
  TrimOptions,
  WriteOptions,
} from './types.ts'

/** The methods of `MemoryStore` for one session. */
export class SessionMemory {
  readonly #store: MemoryStore
  readonly id: string

  constructor(store: MemoryStore, id: string) {
    this.#store = store
    this.id = id
  }

  addMessages<Message extends MessageInput>(messages: readonly Message[], options?: WriteOptions) {
    return this.#store.addMessages(this.id, messages, options)
  }
  recordToolCall(toolCall: ToolCallRecord, options?: WriteOptions) {
    return this.#store.recordToolCall(this.id, toolCall, options)
  }
  addSummary(summary: SummaryInput, options?: WriteOptions) {
    return this.#store.addSummary(this.id, summary, options)
  }
  getHistory(options?: HistoryOptions) {
    return this.#store.getHistory(this.id, options)
  }
  getEntries(options?: EntriesOptions) {
    return this.#store.getEntries(this.id, options)
  }
  trim(options: TrimOptions) {
    return this.#store.trim(this.id, options)
  }
  clear(options?: WriteOptions) {
    return this.#store.clear(this.id, options)
  }
  compact(options: CompactOptions) {
    return this.#store.compact(this.id, options)
  }
  saveSnapshot(options?: SnapshotOptions) {
    return this.#store.saveSnapshot(this.id, options)
  }
  listSnapshots() {
    return this.#store.listSnapshots(this.id)
  }
  rollbackToSnapshot(snapshotId: string, options?: WriteOptions) {
    return this.#store.rollbackToSnapshot(this.id, snapshotId, options)
  }
  deleteSnapshot(snapshotId: string, options?: WriteOptions) {
    return this.#store.deleteSnapshot(this.id, snapshotId, options)
  }
  rewind(options: RewindOptions) {
    return this.#store.rewind(this.id, options)
  }
  fork(target: string, options?: ForkOptions) {
    return this.#store.fork(this.id, target, options)
  }
  recall(embedding: Float32Array | readonly number[], options?: RecallOptions) {
    return this.#store.recall(this.id, embedding, options)
  }
  expire(options: ExpireOptions) {
    return this.#store.expire(this.id, options)
  }
  verify() {
    return this.#store.verify(this.id)
  }
  sweep() {
    return this.#store.sweep(this.id)
  }
  sessionInfo() {
    return this.#store.sessionInfo(this.id)
  }
  deleteSession() {
    return this.#store.deleteSession(this.id)
  }
}
