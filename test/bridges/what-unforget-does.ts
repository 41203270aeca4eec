import { join } from 'node:path'
import { type MemoryStore, openMemory } from 'unforget'
import { expect } from 'vitest'
import { unforget } from '../cli/support/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bridge } from './bridges.ts'

/** Snapshots, forks, copies, verify, expiry and deletion of what a bridge wrote. */
export async function doEverything({ write, read, addTurn }: Bridge, store: MemoryStore): Promise<void> {
  await write(store, 'a')
  const written = await read(store, 'a')
  const { id } = await store.saveSnapshot('a')
  await addTurn(store, 'a', '1')
  expect(await read(store, 'a')).not.toEqual(written)
  await store.rollbackToSnapshot('a', id)
  await store.fork('a', 'b')
  const other = await openMemory('memory:')
  await other.importSession(await store.exportSession('a'))
  expect([await read(store, 'a'), await read(store, 'b'), await read(other, 'a')]).toEqual([written, written, written])
  await addTurn(other, 'a', '1')
  expect((await read(other, 'a')).length).toBe(written.length + 2)
  expect(await store.verify()).toMatchObject({ ok: true, sessions: 2 })
  await store.expire('b', { at: Date.now() - 1 })
  expect(await read(store, 'b')).toEqual([])
  await store.deleteSession('a')
  expect(await read(store, 'a')).toEqual([])
}

/** The command line verifies, shows, exports, imports and copies what a bridge wrote to a memory that holds nothing else. */
export async function useCommandLine({ write, read }: Bridge, url: string): Promise<void> {
  const cwd = await temporaryFolder()
  const memory = await openMemory(url)
  await write(memory, 'user-42')
  const written = await read(memory, 'user-42')
  await memory.close()
  const fine = { stderr: '', code: 0 }
  expect(await unforget(['verify', url], { cwd })).toMatchObject({ code: 0 })
  expect(await unforget(['history', url, 'user-42'], { cwd })).toMatchObject(fine)
  expect(await unforget(['copy', url, 'copy.db'], { cwd })).toMatchObject(fine)
  const copy = await openMemory(`sqlite:${join(cwd, 'copy.db')}`)
  expect(await read(copy, 'user-42')).toEqual(written)
  await copy.deleteSession('user-42')
  await copy.close()
  const { stdout } = await unforget(['export', url, 'user-42'], { cwd })
  expect(await unforget(['import', 'imported.db', '-'], { cwd, input: stdout })).toMatchObject({ code: 0 })
  const imported = await openMemory(`sqlite:${join(cwd, 'imported.db')}`)
  expect(await read(imported, 'user-42')).toEqual(written)
  await imported.close()
  const again = await openMemory(url)
  await again.deleteSession('user-42')
  await again.close()
}
