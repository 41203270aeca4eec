import { appendFileSync, readFileSync, watch } from 'node:fs'
import Database from 'better-sqlite3'

function run(path, sql, ...values) {
  const database = new Database(path)
  database.prepare(sql).run(...values)
  database.close()
}

export function say(path, text) {
  run(path, 'INSERT INTO messages (id, text) VALUES (?, ?)', crypto.randomUUID(), text)
}

function seed(path) {
  appendFileSync('seeds.log', `${process.pid}\n`)
  run(path, 'CREATE TABLE messages (n INTEGER PRIMARY KEY, id TEXT, text TEXT)')
  say(path, 'hello')
}

async function twoWorkers() {
  let look
  const bothAreHere = new Promise((resolve) => {
    look = () => new Set(readFileSync('workers.log', 'utf8').trim().split('\n')).size > 1 && resolve()
  })
  appendFileSync('workers.log', `${process.pid}\n`)
  const watcher = watch('workers.log', look)
  look()
  await bothAreHere
  watcher.close()
}

if (process.env.TOGETHER) await twoWorkers()

export const options = { golden: 'start.sqlite', seed, inputs: ['hello'], volatile: { 'messages.id': 'uuid' } }
