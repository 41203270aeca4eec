import { once } from 'node:events'
import { openMemory } from '../../../../src/index.ts'

const { url, schema } = JSON.parse(process.argv[2] ?? '') as { url: string; schema: string }
process.send?.('ready')
await once(process, 'message')
const memory = await openMemory(url, { schema, connections: 2, timeout: 30_000 })
await memory.addMessages('s', [{ role: 'user', content: `turn of ${process.pid}` }])
await memory.close()
process.disconnect()
