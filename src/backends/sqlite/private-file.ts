import { closeSync, openSync, readlinkSync, unlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Runs `open` for a file that it may create. If there is none, an empty one that only its owner may read is made first; SQLite gives its log the
 * same mode. If there is one, it is not touched.
 */
export function asPrivateFile<T>(path: string, open: () => T): T {
  const created = create(path) ?? create(targetOf(path))
  try {
    return open()
  } catch (error) {
    if (created !== undefined) unlinkSync(created)
    throw error
  }
}

/** Of a link to a file that does not exist yet. */
function targetOf(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return path
  }
}

/** `undefined` if it already exists, or cannot be created: SQLite says why. */
function create(path: string): string | undefined {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return path
  } catch {
    return undefined
  }
}
