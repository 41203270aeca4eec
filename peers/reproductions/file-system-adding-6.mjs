import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const filePath = `${newFolder()}/history.json`
const history = (sessionId) => new FileSystemChatMessageHistory({ sessionId, filePath })
const texts = async (sessionId) => (await history(sessionId).getMessages()).map(({ content }) => content)

await Promise.all(['a', 'b'].map((id) => history(id).addMessage(new HumanMessage(`of ${id}`))))
console.log('two sessions, the first calls of the process:', await texts('a'), await texts('b'))

await Promise.all(['one', 'two'].map((text) => history('s').addMessage(new HumanMessage(text))))
console.log('one session, two calls at once:', await texts('s'))
