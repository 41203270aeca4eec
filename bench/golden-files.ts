import { copyFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { makeTurn } from './turns.ts'

/** A database of turns of 500 bytes. */
export function writeTurns(file: string, count: number): void {
  const database = new Database(file)
  database.pragma('synchronous = OFF')
  database.exec('CREATE TABLE turns (id INTEGER PRIMARY KEY, role TEXT NOT NULL, content TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO turns VALUES (?, ?, ?)')
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const { role, content } = makeTurn(index)
      insert.run(index + 1, role, content)
    }
  })()
  database.close()
}

/** What a test does to its database. */
export function changeTurn(file: string): void {
  const database = new Database(file)
  database.pragma('synchronous = OFF')
  database.exec("UPDATE turns SET content = 'changed' WHERE id = 7")
  database.close()
}

/** The least that starting from a file and keeping the state that is left can be: a copy, and another that is compact. */
export function bareCopy(start: string, copy: string): void {
  copyFileSync(start, copy)
}

export function bareCapture(copy: string, target: string): void {
  const database = new Database(copy)
  database.prepare('VACUUM INTO ?').run(target)
  database.close()
}

/** The ids of the turns that differ, as one would ask for them in SQL: changed, removed and added. */
export function bareDifference(before: string, after: string): number[] {
  const database = new Database(':memory:')
  try {
    database.prepare('ATTACH ? AS before').run(before)
    database.prepare('ATTACH ? AS after').run(after)
    return database
      .prepare(
        `SELECT b.id FROM before.turns AS b LEFT JOIN after.turns AS a ON a.id = b.id
         WHERE a.id IS NULL OR a.role IS NOT b.role OR a.content IS NOT b.content
         UNION ALL SELECT a.id FROM after.turns AS a LEFT JOIN before.turns AS b ON b.id = a.id WHERE b.id IS NULL`,
      )
      .pluck()
      .all() as number[]
  } finally {
    database.close()
  }
}
