import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
await Promise.all(['one', 'two', 'three'].map((text) => history.addMessage(new HumanMessage(text))))
const kept = await history.getMessages().catch(() => 'unreadable')
console.log('all three are there:', kept.length === 3)
