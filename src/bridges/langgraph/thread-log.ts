import type { Entry } from '../../core/entries.ts'
import { isSeqNotFound } from '../../core/recognize-error.ts'
import type { SessionMemory } from '../../core/session-memory.ts'
import type { Added, Entries } from '../../core/types.ts'
import { type CheckpointNode, type CheckpointState, stateOf } from './checkpoint-state.ts'
import { type CheckpointRecord, checkpointType, recordOf, type Stored, type WritesRecord } from './records.ts'
import { weightOf } from './weight-of.ts'

export interface KeptWrite {
  readonly task: string
  readonly index: number
  readonly channel: string
  readonly value: Stored
}

/** How many checkpoints keep their state, so that the next ones need not follow every difference. */
const statesKept = 8

/**
 * What the log of a thread comes to: its checkpoints and their writes. It catches up with what was appended since, and starts over if
 * something was taken back or the session is another one.
 */
export class ThreadLog {
  /** About how many bytes it takes. */
  weight = 0
  /** Checkpoints that were asked for by their ids when they were no longer the newest. */
  readonly askedFor = new WeakSet<CheckpointNode>()
  readonly #memory: SessionMemory<object, object>
  #checkpoints = new Map<string, Map<string, CheckpointNode>>()
  #newest = new Map<string, CheckpointNode>()
  #writes = new Map<string, Map<string, Map<string, KeptWrite>>>()
  #others: Entry<object>[] = []
  /** Own entries that arrived before those in front of them. */
  #early = new Map<number, Entry<object>>()
  #withState: CheckpointNode[] = []
  #last = 0
  #count = 0
  #epoch: string | null = null
  #version: string | null = null
  #reading: Promise<void> = Promise.resolve()

  constructor(memory: SessionMemory<object, object>) {
    this.#memory = memory
  }

  get session(): string {
    return this.#memory.id
  }

  get epoch(): string | null {
    return this.#epoch
  }

  /** As of the last entry that is known. */
  get version(): string | null {
    return this.#version
  }

  /** Entries of the session that are none of this bridge's. */
  get others(): readonly Entry<object>[] {
    return this.#others
  }

  namespaces(): string[] {
    return [...this.#checkpoints.keys()]
  }

  /** In the order they were put. */
  checkpoints(ns: string): CheckpointNode[] {
    return [...(this.#checkpoints.get(ns)?.values() ?? [])]
  }

  checkpoint(ns: string, id: string): CheckpointNode | undefined {
    return this.#checkpoints.get(ns)?.get(id)
  }

  /** The one that was put last, whatever the clock said that made its id. */
  newest(ns: string): CheckpointNode | undefined {
    return this.#newest.get(ns)
  }

  writes(ns: string, id: string): KeptWrite[] {
    return [...(this.#writes.get(ns)?.get(id)?.values() ?? [])]
  }

  /** The namespaces and ids of all checkpoints that have writes, put or not. */
  withWrites(): [ns: string, id: string][] {
    return [...this.#writes].flatMap(([ns, ids]) => [...ids.keys()].map((id): [string, string] => [ns, id]))
  }

  stateOf(node: CheckpointNode): CheckpointState {
    const isNew = node.state === undefined
    const state = stateOf(this.session, node)
    if (isNew) {
      this.#withState.push(node)
      const dropped = this.#withState.length > statesKept ? this.#withState.shift() : undefined
      if (dropped) dropped.state = undefined
    }
    return state
  }

  /** One read if little is new. Calls wait for one another, and each sees everything that was there when it began. */
  catchUp(): Promise<void> {
    const read = this.#reading.then(() => this.#read())
    this.#reading = read.catch(() => {})
    return read
  }

  async #read(): Promise<void> {
    const after = this.#last
    const epoch = this.#epoch
    const found = after === 0 ? await this.#memory.getEntries() : await this.#readAfter(after)
    const isSame = found !== null && (after === 0 || found.epoch === epoch)
    this.#take(isSame ? found : await this.#memory.getEntries(), isSame && after > 0)
  }

  async #readAfter(after: number): Promise<Entries<object> | null> {
    try {
      return await this.#memory.getEntries({ after })
    } catch (error) {
      if (isSeqNotFound(error)) return null
      throw error
    }
  }

  #take(entries: Entries<object>, isContinued: boolean): void {
    if (!isContinued) this.#forget()
    this.#epoch = entries.epoch
    this.#version = entries.version
    for (const entry of entries) if (!isContinued || entry.seq > this.#last) this.#fold(entry)
    for (const seq of this.#early.keys()) if (seq <= this.#last) this.#early.delete(seq)
    this.#foldEarly()
  }

  /** Learns of an entry that this process appended, without reading it back. */
  learn(record: CheckpointRecord | WritesRecord, { seqs: [seq = 0], epoch, version }: Added): void {
    if (this.#last === 0 && seq === 1 && this.#count === 0) this.#epoch = epoch
    if (epoch !== this.#epoch || seq <= this.#last) return
    this.#early.set(seq, { kind: 'record', seq, at: 0, record: { ...record } })
    this.#foldEarly()
    if (this.#last === seq) this.#version = version
  }

  #foldEarly(): void {
    for (let entry = this.#early.get(this.#last + 1); entry; entry = this.#early.get(this.#last + 1)) {
      this.#early.delete(entry.seq)
      this.#fold(entry)
    }
  }

  #forget(): void {
    this.weight = 0
    this.#checkpoints = new Map()
    this.#newest = new Map()
    this.#writes = new Map()
    this.#others = []
    this.#withState = []
    this.#last = 0
  }

  #fold(entry: Entry<object>): void {
    this.#last = entry.seq
    this.#count += 1
    const record = recordOf(entry)
    this.weight += record === undefined ? 0 : weightOf(record)
    if (record === undefined) this.#others.push(entry)
    else if (record.type === checkpointType) this.#foldCheckpoint(record, entry.seq)
    else this.#foldWrites(record)
  }

  /** A checkpoint that is put again moves to the end; those that continue the first one still do. */
  #foldCheckpoint(record: CheckpointRecord, seq: number): void {
    const { ns = '', id, base } = record
    const checkpoints = inner(this.#checkpoints, ns)
    const node = { record, seq, order: this.#count, base: base === undefined ? undefined : checkpoints.get(base) }
    checkpoints.delete(id)
    checkpoints.set(id, node)
    this.#newest.set(ns, node)
  }

  /** The first write of an index stays; of a special channel, whose index is below 0, the last one does. */
  #foldWrites({ ns = '', id, task, writes }: WritesRecord): void {
    const kept = inner(inner(this.#writes, ns), id)
    for (const [index, channel, value] of writes) {
      const key = `${index},${task}`
      if (index < 0 || !kept.has(key)) kept.set(key, { task, index, channel, value })
    }
  }
}

function inner<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const found = map.get(key) ?? new Map<L, V>()
  map.set(key, found)
  return found
}
