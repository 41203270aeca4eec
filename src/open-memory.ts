import { MemoryBackend } from './backends/memory/memory-backend.ts'
import type { Durability } from './backends/sqlite/connection.ts'
import { misuse, quote } from './core/errors.ts'
import { MemoryStore, type StoreOptions } from './core/memory-store.ts'

export interface OpenOptions extends StoreOptions {
  /** SQLite only: `power` (where it is not given) or `process`. */
  durability?: Durability | undefined
  /** SQLite files only: opens one that is there, creates and changes nothing, and rejects every write with `READ_ONLY`. */
  readOnly?: boolean | undefined
}

/**
 * Opens the memory at a URL: `memory:` (this process, gone with it), `sqlite:<path>`, `sqlite::memory:`. The rest after `sqlite:` is the path
 * as it is.
 */
export async function openMemory(url: string, options: OpenOptions = {}): Promise<MemoryStore> {
  const { durability, readOnly, ...storeOptions } = options
  if (typeof url !== 'string') throw misuse('url: expected text such as "sqlite:agent.db"')
  if (durability !== undefined && durability !== 'power' && durability !== 'process') {
    throw misuse("options.durability: expected 'power' or 'process'")
  }
  if (readOnly !== undefined && typeof readOnly !== 'boolean') throw misuse('options.readOnly: expected true or false')
  if (readOnly && (url === 'memory:' || url === 'sqlite::memory:')) {
    throw misuse(`options.readOnly: there is nothing to read in a new ${quote(url)}`)
  }
  if (url === 'memory:') return new MemoryStore(new MemoryBackend(), storeOptions)
  if (!url.startsWith('sqlite:')) {
    throw misuse(`url: ${quote(url)} is none of "memory:", "sqlite:<path>" and "sqlite::memory:"`)
  }
  const file = url.slice('sqlite:'.length)
  if (file === '' || file.includes('\0') || file !== file.trim() || /^\/\/[^/]/.test(file)) {
    throw misuse(`url: ${quote(url)} names no file; write "sqlite:agent.db" or "sqlite:/data/agent.db"`)
  }
  const { SqliteBackend } = await import('./backends/sqlite/sqlite-backend.ts')
  const { timeout } = options
  const store = await SqliteBackend.open(file, { durability, readOnly, timeout })
  return new MemoryStore(store, storeOptions)
}
