import { openMemory } from '../../../../src/index.ts'

/** Opens a memory, writes a turn, says so, and ends without closing when it is told to. */
const { url } = JSON.parse(process.argv[2] ?? '{}') as { url: string }

const memory = await openMemory(url)
await memory.addMessages('s', [{ role: 'user', content: 'of the process that ends' }])
process.on('message', () => process.exit())
process.send?.('open')
