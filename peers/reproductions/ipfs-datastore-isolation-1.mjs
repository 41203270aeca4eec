import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { HumanMessage } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { newFolder } from './folder.mjs'

const datastore = new FsDatastore(newFolder())
await datastore.open()
const history = (sessionId) => new IPFSDatastoreChatMessageHistory({ datastore, sessionId })
const texts = async (sessionId) => (await history(sessionId).getMessages()).map(({ content }) => content)
for (const id of ['user', 'user/1', 'a+(b)']) await history(id).addMessage(new HumanMessage(`of ${id}`))
for (const id of ['user', 'user/1', 'a+(b)']) console.log(`${id}:`, await texts(id))
await history('user').clear()
console.log('user/1, after user was cleared:', await texts('user/1'))
process.once('uncaughtException', ({ code }) => console.log('uncaught:', code))
history('user\0')
  .addMessage(new HumanMessage('x'))
  .catch(({ name }) => console.log('rejected:', name))
