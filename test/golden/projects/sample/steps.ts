import Database from 'better-sqlite3'
import { reach } from 'unforget/golden'

interface Args {
  readonly text: string
}

export function save(path: string, { text }: Args): number {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.prepare("INSERT INTO messages (id, text) VALUES ('00000000-0000-4000-8000-000000000000', ?)").run(text)
  reach('saved')
  database.exec('DELETE FROM messages')
  return process.pid
}

export function count(path: string): { messages: unknown; pid: number } {
  const database = new Database(path)
  return { messages: database.prepare('SELECT count(*) FROM messages').pluck().get(), pid: process.pid }
}
