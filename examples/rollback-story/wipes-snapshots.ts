import { MemoryManager } from './memory-manager.ts'

/** The first bug of the story. "Let a rollback start clean": it does, and the next one finds nothing to roll back to. */
export class WipesSnapshots extends MemoryManager {
  override rollbackToSnapshot(session: string, id: string): void {
    const turns = this.readSnapshot(session, id)
    this.database.exec('DELETE FROM snapshots')
    this.writeTurns(session, turns)
  }
}
