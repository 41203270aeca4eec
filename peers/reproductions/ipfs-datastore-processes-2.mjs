import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const [, program, folder = newFolder()] = process.argv
const datastore = new FsDatastore(folder)
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
if (process.argv[2] === undefined) {
  spawnSync(process.execPath, [program, folder])
  const { length: left } = await history.getMessages()
  console.log('none or all of the 1,000 are there:', left === 0 || left === 1000)
} else {
  void history.addMessages(Array.from({ length: 1000 }, (_, number) => new HumanMessage(`${number}`)))
  while (!existsSync(`${folder}/s/0.data`)) await new Promise(setImmediate)
  process.kill(process.pid, 'SIGKILL')
}
