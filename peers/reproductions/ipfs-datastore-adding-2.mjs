import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = new IPFSDatastoreChatMessageHistory({ datastore, sessionId: 's' })
for (let number = 1; number <= 12; number++) await history.addMessage(new HumanMessage(`${number}`))
console.log((await history.getMessages()).map(({ content }) => content).join(' '))
