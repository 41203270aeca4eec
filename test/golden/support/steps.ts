import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { reach } from '../../../src/golden/process/kill-point.ts'

export function describe(path: string, args: unknown): unknown {
  return { pid: process.pid, path, args }
}

export async function fail(): Promise<never> {
  await Promise.resolve()
  throw Object.assign(new RangeError('too far'), { code: 'E_FAR' })
}

export function failOddly(): never {
  throw { odd: true }
}

export function returnFunction(): unknown {
  return () => 1
}

export function leave(_path: string, code: number): never {
  process.exit(code)
}

export async function die(): Promise<void> {
  process.kill(process.pid, 'SIGTERM')
  await new Promise(() => {})
}

export function forgetToWait(): string {
  setTimeout(() => process.exit(1), 60_000)
  return 'done'
}

export function writeTwo(path: string): void {
  const database = new Database(path)
  database.exec(
    "CREATE TABLE IF NOT EXISTS t (v); INSERT INTO t VALUES ('before'); BEGIN; INSERT INTO t VALUES ('lost')",
  )
  reach('between')
  database.exec('COMMIT')
  database.close()
}

export function neverYield(_path: string, file: string): void {
  writeFileSync(file, String(process.pid))
  for (;;);
}
