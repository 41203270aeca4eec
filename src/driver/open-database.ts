import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { howToBuild, tooNewFor } from './driver-advice.ts'
import { DriverError } from './driver-error.ts'

const require = createRequire(import.meta.url)

let driver: typeof Database | undefined

/**
 * Opens a database with better-sqlite3, which is loaded on first use: other kinds of memory need no driver. Throws a `DriverError` if
 * none works here.
 */
export function openDatabase(path: string, options?: Database.Options): Database.Database {
  driver ??= loadDriver()
  return new driver(path, options)
}

function loadDriver(): typeof Database {
  const version = installedVersion()
  const problem = tooNewFor(version, process.versions)
  if (problem !== null) throw new DriverError(problem)
  try {
    const loaded = require('better-sqlite3') as typeof Database
    new loaded(':memory:').close()
    return loaded
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n')
    const message = `better-sqlite3 ${version} has no binary that works on Node ${process.versions.node} (${reason}): run ${howToBuild(version, process.versions)}`
    throw new DriverError(message, { cause })
  }
}

function installedVersion(): string {
  try {
    return (require('better-sqlite3/package.json') as { version: string }).version
  } catch (cause) {
    throw new DriverError('SQLite needs its driver: run npm install better-sqlite3', { cause })
  }
}
