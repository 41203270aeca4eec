import { statSync } from 'node:fs'
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { newFile, openSaver } from './savers.mjs'

const file = newFile()
const saver = await openSaver(process.argv[2], file)
let config = { configurable: { thread_id: '1', checkpoint_ns: '' } }
const turns = []
for (let step = 1; step <= 800; step++) {
  turns.push(`turn ${step} `.padEnd(500, 'abcdefgh'))
  const checkpoint = { ...emptyCheckpoint(), channel_values: { turns }, channel_versions: { turns: step } }
  config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} }, { turns: step })
}
await (saver.close?.() ?? saver.db.close())
console.log(`400,000 bytes of turns make a file of ${Math.round(statSync(file).size / 400_000)} times that`)
