import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const memoryFileSystems = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])
const ownFolder = fileURLToPath(new URL('../.scratch', import.meta.url))

/**
 * A folder on a real disk that is removed however the process ends, unless it is killed outright. The folders of servers are next to it.
 */
export function makeScratch(): string {
  const parent = [tmpdir(), ownFolder].find(isRealDisk)
  if (parent === undefined) {
    throw new Error(`${tmpdir()} and ${ownFolder} are in memory: set TMPDIR to a folder on a real disk`)
  }
  process.env['TMPDIR'] = parent
  const folder = mkdtempSync(path.join(parent, 'unforget-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const [signal, number] of [['SIGINT', 2] as const, ['SIGTERM', 15] as const, ['SIGHUP', 1] as const]) {
    process.on(signal, () => process.exit(128 + number))
  }
  return folder
}

function isRealDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  return !memoryFileSystems.has(statfsSync(folder).type)
}
