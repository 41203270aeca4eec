import { existsSync } from 'node:fs'
import { MemoryStoreError, quote } from '../../core/errors.ts'
import type { MemoryStore } from '../../core/memory-store.ts'
import { openMemory } from '../../open-memory.ts'
import { CannotRun } from '../command/run-command.ts'

/** A URL as is, anything else as the path of a SQLite file. A drive letter is not a scheme. */
export function toUrl(store: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(store) ? store : `sqlite:${store}`
}

/** The path, if the store is a file. */
export function fileOf(store: string): string | undefined {
  return /^sqlite:(.+)$/s.exec(toUrl(store))?.[1]
}

/** Opens an existing store read-only, and closes it when `use` is done. */
export async function reading<T>(store: string, use: (memory: MemoryStore) => Promise<T>): Promise<T> {
  const url = toUrl(store)
  refuseNew(url)
  await using memory = await openMemory(url, { readOnly: true })
  return await use(memory)
}

/** Timeout for writing a whole session in one call, in milliseconds. */
const timeToBring = 120_000

/** Opens a store for writing; creates it only with `create`. `patient`: allows time for whole sessions. */
export async function writing<T>(
  store: string,
  use: (memory: MemoryStore) => Promise<T>,
  { create = false, patient = false }: { create?: boolean; patient?: boolean } = {},
): Promise<T> {
  const url = toUrl(store)
  refuseNew(url)
  const file = fileOf(store)
  if (file?.endsWith('/')) throw new CannotRun(`${file} is a folder, not a file`)
  if (!create && file !== undefined && !existsSync(file)) {
    throw new CannotRun(`there is no file ${file}`)
  }
  if (!create && file !== undefined) await requireMemory(url)
  const options = /^postgres(ql)?:/.test(url) && !create ? { migrate: false } : {}
  if (patient) await (await openMemory(url, options)).close()
  await using memory = await openMemory(url, patient ? { ...options, timeout: timeToBring } : options)
  return await use(memory)
}

/** Opening an empty file for writing would make a memory of it. */
async function requireMemory(url: string): Promise<void> {
  try {
    await (await openMemory(url, { readOnly: true })).close()
  } catch (error) {
    if (MemoryStoreError.is(error) && error.code === 'NOT_A_MEMORY') throw error
  }
}

function refuseNew(url: string): void {
  if (url !== 'memory:' && url !== 'sqlite::memory:') return
  throw new CannotRun(`${quote(url)} would be a new memory that is gone when this command ends`)
}
