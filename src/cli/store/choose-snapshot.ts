import { quote, SnapshotNotFoundError } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import type { ListedSnapshot } from '../../core/types.ts'
import { CannotRun } from '../command/run-command.ts'

/** By its id, or by a unique prefix of it. */
export async function chooseSnapshot(memory: MemoryStore, session: string, wanted: string): Promise<ListedSnapshot> {
  const snapshots = await memory.listSnapshots(session)
  const exact = snapshots.find(({ id }) => id === wanted)
  if (exact !== undefined) return exact
  const [first, ...others] = snapshots.filter(({ id }) => id.startsWith(wanted))
  if (first === undefined) throw new SnapshotNotFoundError(session, wanted)
  if (others.length === 0) return first
  throw new CannotRun(`${others.length + 1} snapshots start with ${quote(wanted)}; nothing was changed`)
}
