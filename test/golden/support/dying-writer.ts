import Database from 'better-sqlite3'

const { path, mode } = JSON.parse(process.argv[2] ?? '') as { path: string; mode: string }
const database = new Database(path)
database.pragma(`journal_mode = ${mode}`)
database.pragma('cache_size = 1')
database.exec('CREATE TABLE t (v)')
const insert = database.prepare('INSERT INTO t VALUES (?)')
for (let index = 0; index < 100; index++) insert.run(`committed ${index}`)
database.exec('BEGIN')
for (let index = 0; index < 2000; index++) insert.run(`lost ${index} ${'x'.repeat(500)}`)
database.exec("UPDATE t SET v = 'overwritten'")
process.send?.('inside')
/** A handle that is collected rolls back before the kill. */
setInterval(() => database.inTransaction, 1000)
