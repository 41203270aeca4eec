import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
let sawPart = false
let isAdding = true
const adding = history.addMessages(Array.from({ length: 500 }, (_, number) => new HumanMessage(`${number}`)))
const reading = (async () => {
  while (isAdding) {
    const { length } = await history.getMessages()
    sawPart ||= length > 0 && length < 500
  }
})()
await adding
isAdding = false
await reading
console.log('a part of the 500 was read:', sawPart)
