import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { openSaver } from './savers.mjs'

const thread = { configurable: { thread_id: '1', checkpoint_ns: '' } }
try {
  const saver = await openSaver(process.argv[2])
  await saver.put(thread, emptyCheckpoint(), { source: 'loop', step: 0, parents: {} }, {})
  console.log(`a checkpoint was put; ${(await saver.getTuple(thread)) ? 'it is read' : 'it is not read'}`)
} catch (error) {
  console.log(`no checkpoint was put: ${error.message.split(',')[0]}`)
}
process.exit()
