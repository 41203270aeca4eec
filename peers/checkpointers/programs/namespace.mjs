import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { openSaver } from './savers.mjs'

const saver = await openSaver(process.argv[2])
const [thread, checkpoint] = [{ thread_id: '1' }, emptyCheckpoint()]
await saver.put({ configurable: thread }, checkpoint, { source: 'loop', step: 0, parents: {} }, {})
const config = { configurable: { ...thread, checkpoint_id: checkpoint.id } }
const error = await saver.putWrites(config, [['total', 1]], 'task').catch((reason) => reason)
const { pendingWrites } = await saver.getTuple(config)
console.log(
  `putWrites ${error instanceof Error ? 'is rejected' : 'succeeds'}; ${pendingWrites.length} of 1 write is read`,
)
process.exit()
