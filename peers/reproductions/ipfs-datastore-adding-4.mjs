import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
const message = new HumanMessage('one')
const adding = history.addMessage(message)
message.content = 'changed while it is written'
await adding
console.log((await history.getMessages()).map(({ content }) => content))
