import type { BaseCheckpointSaver, CheckpointTuple, PendingWrite } from '@langchain/langgraph-checkpoint'
import { configOf, placeOf } from './thread-place.ts'
import type { UnforgetSaver } from './unforget-saver.ts'

/** How far `migrateThreads` is. */
export interface MigrationProgress {
  /** The thread that was just copied. */
  thread: string
  /** How many threads are done. */
  threads: number
  /** How many there are. */
  of: number
}

/** Options of `migrateThreads`. */
export interface MigrateOptions {
  /** The threads to copy. Default: all. */
  threads?: readonly string[] | undefined
  /** Called after every thread. If it throws, the work stops there and rejects with that error. */
  onProgress?: ((progress: MigrationProgress) => void) | undefined
}

/** The result of `migrateThreads`. */
export interface Migrated {
  /** How many threads were looked at. */
  threads: number
  /** How many checkpoints were copied. */
  copied: number
  /** How many checkpoints were there already. */
  present: number
}

type Source = BaseCheckpointSaver<number> | BaseCheckpointSaver<string>

/** How many checkpoints are asked for at a time. */
const pageSize = 100

/** The place of a checkpoint. */
interface Found {
  readonly thread: string
  readonly ns: string
  readonly id: string
}

/**
 * Copies the threads of another LangGraph checkpointer, such as `SqliteSaver` or `PostgresSaver`, with all checkpoints, namespaces and pending writes.
 *
 * The source is only read. Checkpoints that the target has are passed over, so a run that was interrupted is finished by the same call again.
 *
 * @param from - The checkpointer to copy from.
 * @param to - The checkpointer to copy to.
 * @param options - `threads` (default: all) and `onProgress`; see `MigrateOptions`.
 * @returns How much was copied.
 * @throws What either checkpointer throws, and whatever `onProgress` throws. What was copied before stays.
 * @cost Reads every checkpoint of the source twice, a page of 100 at a time; one commit per checkpoint and one per task that has pending writes.
 */
export async function migrateThreads(from: Source, to: UnforgetSaver, options: MigrateOptions = {}): Promise<Migrated> {
  const byThread = new Map<string, Found[]>()
  for (const thread of options.threads ?? [undefined]) {
    for (const found of await findCheckpoints(from, thread)) {
      byThread.set(found.thread, [...(byThread.get(found.thread) ?? []), found])
    }
  }
  const migrated = { threads: 0, copied: 0, present: 0 }
  for (const [thread, checkpoints] of byThread) {
    for (const { ns, id } of checkpoints.sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const isThere = (await to.getTuple(configOf(thread, ns, id))) !== undefined
      const tuple = isThere ? undefined : await from.getTuple(configOf(thread, ns, id))
      if (tuple) await copyCheckpoint(tuple, to)
      migrated.present += isThere ? 1 : 0
      migrated.copied += tuple ? 1 : 0
    }
    migrated.threads += 1
    options.onProgress?.({ thread, threads: migrated.threads, of: byThread.size })
  }
  return migrated
}

/** The writes first: if the checkpoint is there, it is there whole. */
async function copyCheckpoint(tuple: CheckpointTuple, to: UnforgetSaver): Promise<void> {
  const { config, checkpoint, metadata, parentConfig, pendingWrites = [] } = tuple
  const { thread, ns } = placeOf(config)
  const tasks = new Map<string, PendingWrite[]>()
  for (const [task, channel, value] of pendingWrites) tasks.set(task, [...(tasks.get(task) ?? []), [channel, value]])
  for (const [task, writes] of tasks) await to.putWrites(configOf(thread, ns, checkpoint.id), writes, task)
  const parent = parentConfig && placeOf(parentConfig).id
  await to.put(
    { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: parent } },
    checkpoint,
    metadata ?? { source: 'loop', step: -1, parents: {} },
    checkpoint.channel_versions,
  )
}

/** By pages if the checkpointer lists the newest ids first, which LangGraph's databases do; otherwise at once. */
async function findCheckpoints(from: Source, thread: string | undefined): Promise<Found[]> {
  const all: Found[] = []
  for (;;) {
    const last = all.at(-1)?.id
    const page = await listPage(from, thread, last, pageSize)
    const isSorted = page.every(({ id }, index) => index === 0 || id <= (page[index - 1]?.id ?? ''))
    const end = page.at(-1)?.id
    const whole = page.length < pageSize ? page : page.filter(({ id }) => id !== end)
    if (!isSorted || (whole.length === 0 && page.length > 0)) return listPage(from, thread, undefined, undefined)
    all.push(...whole)
    if (page.length < pageSize) return all
  }
}

async function listPage(
  from: Source,
  thread: string | undefined,
  before: string | undefined,
  limit: number | undefined,
): Promise<Found[]> {
  const page: Found[] = []
  const options = {
    ...(limit !== undefined && { limit }),
    ...(before !== undefined && { before: { configurable: { checkpoint_id: before } } }),
  }
  const config = { configurable: thread === undefined ? {} : { thread_id: thread } }
  for await (const { config: found, checkpoint } of from.list(config, options)) {
    page.push({ ...placeOf(found), id: checkpoint.id })
  }
  return page
}
