import { existsSync } from 'node:fs'
import { quote } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { openMemory } from '../../open-memory.ts'
import { CannotRun } from '../command/run-command.ts'

/** A URL as it is, anything else as the path of a SQLite file. A drive letter is no scheme. */
export function toUrl(store: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(store) ? store : `sqlite:${store}`
}

/** Where the store is a file. */
export function fileOf(store: string): string | undefined {
  return /^sqlite:(.+)$/s.exec(toUrl(store))?.[1]
}

/** Opens a store that is there, changes nothing of it, and closes it when `use` is done. */
export async function reading<T>(store: string, use: (memory: MemoryStore) => Promise<T>): Promise<T> {
  const url = toUrl(store)
  refuseNew(url)
  await using memory = await openMemory(url, { readOnly: true })
  return await use(memory)
}

/** A session is brought into a store in one call, however long it is, and has so many milliseconds for it. */
const timeToBring = 120_000

/** Opens a store to change it; only with `create` one that is not there yet. `patient`: whole sessions are brought into it. */
export async function writing<T>(
  store: string,
  use: (memory: MemoryStore) => Promise<T>,
  { create = false, patient = false }: { create?: boolean; patient?: boolean } = {},
): Promise<T> {
  const url = toUrl(store)
  refuseNew(url)
  const file = fileOf(store)
  if (!create && file !== undefined && !existsSync(file)) {
    throw new CannotRun(`there is no file ${file}`)
  }
  const options = /^postgres(ql)?:/.test(url) && !create ? { migrate: false } : {}
  if (patient) await (await openMemory(url, options)).close()
  await using memory = await openMemory(url, patient ? { ...options, timeout: timeToBring } : options)
  return await use(memory)
}

function refuseNew(url: string): void {
  if (url !== 'memory:' && url !== 'sqlite::memory:') return
  throw new CannotRun(`${quote(url)} would be a new memory, gone with this command`)
}
