import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { RedisSaver } from '@langchain/langgraph-checkpoint-redis'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { UnforgetSaver } from '../../../dist/bridges/langgraph/index.js'
import { newFolder } from '../../reproductions/folder.mjs'

/** A new SQLite file, gone when the process ends. */
export const newFile = () => `${newFolder()}/agent.db`

/** The saver that a program is run with, with the defaults of each package. */
export async function openSaver(name, file = newFile()) {
  if (name === 'MemorySaver') return new MemorySaver()
  if (name === 'SqliteSaver') return SqliteSaver.fromConnString(file)
  if (name === 'RedisSaver') return RedisSaver.fromUrl(process.env.REDIS_URL)
  if (name === 'UnforgetSaver') return UnforgetSaver.fromUrl(`sqlite:${file}`)
  if (name === 'UnforgetSaver on Redis') return UnforgetSaver.fromUrl(process.env.REDIS_URL, { prefix: randomUUID() })
  const schema = `s${randomUUID().replaceAll('-', '')}`
  if (name === 'UnforgetSaver on PostgreSQL') return UnforgetSaver.fromUrl(process.env.DATABASE_URL, { schema })
  const saver = PostgresSaver.fromConnString(process.env.DATABASE_URL, { schema })
  await saver.setup()
  return saver
}

/** Runs this program in two other processes at the same time, until both succeed. */
export async function runTwice(...args) {
  const ended = await Promise.all([1, 2].map(() => once(fork(process.argv[1], args), 'exit')))
  if (ended.some(([code]) => code !== 0)) throw new Error('a process failed')
}
