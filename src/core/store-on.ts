import type { Backend } from './backend.ts'
import { MemoryStore, type StoreOptions } from './memory-store.ts'

/** A store on a newly opened backend; if the options are invalid, the backend is closed again. */
export async function storeOn<Message extends object, StandIn extends object>(
  backend: Backend,
  options: StoreOptions<StandIn>,
): Promise<MemoryStore<Message, StandIn>> {
  try {
    return new MemoryStore<Message, StandIn>(backend, options)
  } catch (error) {
    await backend.close()
    throw error
  }
}
