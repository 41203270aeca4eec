import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { openSaver } from './savers.mjs'

const saver = await openSaver(process.argv[2])
const thread = { configurable: { thread_id: '1', checkpoint_ns: '' } }
const config = await saver.put(thread, emptyCheckpoint(), { source: 'loop', step: 0, parents: {} }, {})
await saver.putWrites(config, [['image', new Uint8Array([255, 0, 254])]], 'task')
const read = await saver.getTuple(config).catch((error) => error)
if (read instanceof Error) console.log(`bytes 255, 0, 254 were put; getTuple is rejected with a ${read.name}`)
else console.log(`bytes 255, 0, 254 come back as ${[...read.pendingWrites[0][2]].join(', ')}`)
process.exit()
