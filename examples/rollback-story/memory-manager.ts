import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface Snapshot {
  readonly id: string
  readonly label: string
}

/** The memory of an agent: conversations, and snapshots to roll back to. What was read or written is at hand without another query. */
export class MemoryManager {
  protected readonly database: Database.Database
  protected readonly cache = new Map<string, readonly Turn[]>()

  constructor(path: string) {
    this.database = new Database(path)
    this.database.exec(`
      CREATE TABLE IF NOT EXISTS conversations (
        session TEXT NOT NULL, turn INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (session, turn)
      );
      CREATE TABLE IF NOT EXISTS snapshots (
        id TEXT PRIMARY KEY, session TEXT NOT NULL, label TEXT NOT NULL, turns TEXT NOT NULL, saved_at TEXT NOT NULL
      );
    `)
  }

  addTurn(session: string, turn: Turn): void {
    this.writeTurns(session, [...this.getHistory(session), turn])
  }

  getHistory(session: string): readonly Turn[] {
    const known = this.cache.get(session)
    if (known !== undefined) return known
    const turns = this.database
      .prepare('SELECT role, content FROM conversations WHERE session = ? ORDER BY turn')
      .all(session) as Turn[]
    this.cache.set(session, turns)
    return turns
  }

  saveSnapshot(session: string, label: string): string {
    const id = randomUUID()
    this.database
      .prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)')
      .run(id, session, label, JSON.stringify(this.getHistory(session)), new Date().toISOString())
    return id
  }

  listSnapshots(session: string): readonly Snapshot[] {
    return this.database.prepare('SELECT id, label FROM snapshots WHERE session = ?').all(session) as Snapshot[]
  }

  /** Brings the conversation of a snapshot back. All snapshots stay. */
  rollbackToSnapshot(session: string, id: string): void {
    this.writeTurns(session, this.readSnapshot(session, id))
  }

  close(): void {
    this.database.close()
  }

  protected readSnapshot(session: string, id: string): readonly Turn[] {
    const found = this.database
      .prepare('SELECT turns FROM snapshots WHERE session = ? AND id = ?')
      .pluck()
      .get(session, id) as string | undefined
    if (found === undefined) throw new Error(`${session} has no snapshot ${id}`)
    return JSON.parse(found) as readonly Turn[]
  }

  protected writeTurns(session: string, turns: readonly Turn[]): void {
    const insert = this.database.prepare('INSERT INTO conversations VALUES (?, ?, ?, ?)')
    this.database.transaction(() => {
      this.database.prepare('DELETE FROM conversations WHERE session = ?').run(session)
      for (const [index, { role, content }] of turns.entries()) insert.run(session, index + 1, role, content)
    })()
    this.cache.set(session, turns)
  }
}
