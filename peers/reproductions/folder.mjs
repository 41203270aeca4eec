import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that is gone when the process ends. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
