import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemory } from '../../../src/index.ts'
import { postgresServer, redisServer } from '../../../src/testing/servers/index.ts'
import { validateOn } from './validation-kit.ts'

const redis = await redisServer()
const cluster = await redisServer({ cluster: true })
const postgres = await postgresServer()
const folder = mkdtempSync(join(tmpdir(), 'unforget-test-'))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([redis.stop(), cluster.stop(), postgres.stop()])
})

const schema = `t_${randomBytes(6).toString('hex')}`
let files = 0

validateOn('SQLite', () => openMemory(`sqlite:${join(folder, `${files++}.db`)}`))
validateOn('Redis', () => openMemory(redis.url))
validateOn('a Redis cluster', () => openMemory(cluster.url))
validateOn('PostgreSQL', () => openMemory(postgres.url, { schema }))
