import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const [, program, folder = newFolder()] = process.argv
const datastore = new FsDatastore(folder)
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
if (process.argv[2] === undefined) {
  const others = Array.from({ length: 3 }, () => spawn(process.execPath, [program, folder]))
  await Promise.all(others.map((other) => once(other, 'exit')))
  const kept = await history.getMessages().catch(() => 'unreadable')
  console.log('all 300 of three processes are there:', kept.length === 300)
} else {
  for (let number = 0; number < 100; number++) await history.addMessage(new HumanMessage(`${number}`))
}
