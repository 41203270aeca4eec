import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
const additional_kwargs = { number: 10n, date: new Date(0), map: new Map([['k', 1]]) }
await history.addMessage(new HumanMessage({ content: 'x', additional_kwargs }))
console.log('given:', additional_kwargs)
console.log('read: ', (await history.getMessages())[0].additional_kwargs)
