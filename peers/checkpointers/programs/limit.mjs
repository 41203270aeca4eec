import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { openSaver } from './savers.mjs'

const saver = await openSaver(process.argv[2])
const thread = { configurable: { thread_id: '1', checkpoint_ns: '' } }
for (const step of [0, 1]) await saver.put(thread, emptyCheckpoint(), { source: 'loop', step, parents: {} }, {})
const listed = []
for await (const tuple of saver.list(thread, { limit: 0 })) listed.push(tuple)
console.log(`of 2 checkpoints, limit 0 lists ${listed.length}`)
process.exit()
