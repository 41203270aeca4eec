import { MemoryManager } from './memory-manager.ts'

/** The second bug of the story. "The cache has the turns, the table gets them with the next one": unless the process ends before. */
export class WipesConversation extends MemoryManager {
  override rollbackToSnapshot(session: string, id: string): void {
    this.cache.set(session, this.readSnapshot(session, id))
    this.database.prepare('DELETE FROM conversations WHERE session = ?').run(session)
  }
}
