import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
const additional_kwargs = JSON.parse('{"given":{"__proto__":{"a":1},"b":2}}')
await history.addMessage(new HumanMessage({ content: 'x', additional_kwargs }))
const [read] = await history.getMessages()
console.log('given:', JSON.stringify(additional_kwargs))
console.log('read: ', JSON.stringify(read.additional_kwargs))
