import { spawnSync } from 'node:child_process'
import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const [, program, filePath = `${newFolder()}/history.json`] = process.argv
const history = new FileSystemChatMessageHistory({ sessionId: 's', filePath })
const length = async () => (await history.getMessages()).length
if (process.argv[2] === undefined) {
  spawnSync(process.execPath, [program, filePath])
  const left = await length().catch(() => 'unreadable')
  console.log('none or all of the 100 are there:', left === 0 || left === 100)
} else {
  void history.addMessages(Array.from({ length: 100 }, (_, number) => new HumanMessage(`${number}`)))
  while ((await length()) < 50) await new Promise(setImmediate)
  process.kill(process.pid, 'SIGKILL')
}
