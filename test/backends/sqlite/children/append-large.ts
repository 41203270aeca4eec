import { openMemory } from '../../../../src/index.ts'

/** Appends large turns, so that one log after the other is begun, and reads in between. */
const { url, writer, count } = JSON.parse(process.argv[2] ?? '{}') as { url: string; writer: string; count: number }

const memory = await openMemory(url, { durability: 'process', timeout: 60_000 })
for (let turn = 0; turn < count; turn++) {
  await memory.addMessages(writer, [{ role: 'user', content: `${turn} `.padEnd(150_000, 'x') }])
  await memory.getHistory(writer, { last: 1 })
}
await memory.close()
process.disconnect?.()
