import type { MemoryStore } from 'unforget'
import { makeTurn } from './turns.ts'

/**
 * Commits until SQLite's log has its full size. One that still grows is slower to sync than one that is written over, and it grows at another pace in
 * every file: what is compared must be past that.
 */
export async function settleLog(memory: MemoryStore, commits: number): Promise<void> {
  for (let index = 0; index < commits; index++) await memory.addMessages('settling', [makeTurn(index)])
}
