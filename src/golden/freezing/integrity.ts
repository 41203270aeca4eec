import type Database from 'better-sqlite3'
import { errorCode } from '../errors.ts'

/** Violated constraints are content, which a golden may have; anything else is damage. */
const isContent = (problem: string) =>
  /^(?:NULL|NUMERIC|TEXT|non-\w+) value in |^CHECK constraint failed in /.test(problem)

/** What is broken in a database; nothing if its declarations need functions that only its application has. */
export function findDamage(database: Database.Database, check: 'integrity_check' | 'quick_check'): string[] {
  try {
    const problems = database.prepare(`PRAGMA ${check}`).pluck().all() as string[]
    return problems.filter((problem) => problem !== 'ok' && !isContent(problem))
  } catch (error) {
    if (errorCode(error) === 'SQLITE_ERROR') return []
    throw error
  }
}
