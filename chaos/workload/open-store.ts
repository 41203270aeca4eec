import { type Backend, MemoryStore, type OpenOptions, openMemory } from 'unforget'
import { SqliteBackend } from 'unforget/sqlite'
import { type PlantedBug, plantBug } from '../planted/plant-bug.ts'

/** Where the memory is. */
export interface Target {
  readonly url: string
  readonly options: OpenOptions
  /** Breaks the store on purpose, to see that the checker finds it. SQLite only. */
  readonly planted?: PlantedBug
}

export async function openStore({ url, options, planted }: Target): Promise<MemoryStore> {
  if (planted === undefined) return openMemory(url, options)
  const { timeout } = options
  const backend: Backend = await SqliteBackend.open(url.slice('sqlite:'.length), { timeout })
  return new MemoryStore(plantBug(backend, planted), { timeout })
}
