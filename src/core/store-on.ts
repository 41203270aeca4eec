import type { Backend } from './backend.ts'
import { MemoryStore, type StoreOptions } from './memory-store.ts'

/** A store on a newly opened backend; if the options are invalid, the backend is closed again. */
export async function storeOn(backend: Backend, options: StoreOptions): Promise<MemoryStore> {
  try {
    return new MemoryStore(backend, options)
  } catch (error) {
    await backend.close()
    throw error
  }
}
