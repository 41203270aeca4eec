import Database from 'better-sqlite3'

/** The least that keeps a turn: one table without an index, the pragmas of the store, prepared statements. */
export class BareDatabase {
  readonly #database: Database.Database
  readonly #insert: Database.Statement
  readonly #select: Database.Statement

  constructor(file: string) {
    this.#database = new Database(file)
    this.#database.pragma('journal_mode = WAL')
    this.#database.pragma('synchronous = FULL')
    this.#database.exec('CREATE TABLE turns (id INTEGER PRIMARY KEY, session TEXT NOT NULL, body TEXT NOT NULL)')
    this.#insert = this.#database.prepare('INSERT INTO turns (session, body) VALUES (?, ?)')
    this.#select = this.#database.prepare('SELECT body FROM turns ORDER BY id')
  }

  /** In a transaction of its own. */
  insert(session: string, body: string): void {
    this.#insert.run(session, body)
  }

  /** All in one transaction. */
  insertAll(session: string, bodies: readonly string[]): void {
    this.#database.exec('BEGIN')
    for (const body of bodies) this.#insert.run(session, body)
    this.#database.exec('COMMIT')
  }

  selectAndParse(): unknown[] {
    return (this.#select.all() as { body: string }[]).map(({ body }) => JSON.parse(body) as unknown)
  }

  /** Throws unless it is still as durable as it was made: some builds fall back with the first write. */
  requireFull(): void {
    const mode = this.#database.pragma('journal_mode', { simple: true })
    const synchronous = this.#database.pragma('synchronous', { simple: true })
    if (mode === 'wal' && synchronous === 2) return
    throw new Error(
      `the bare database runs with ${String(mode)} and synchronous ${String(synchronous)}, not WAL and FULL`,
    )
  }

  close(): void {
    this.#database.close()
  }
}
