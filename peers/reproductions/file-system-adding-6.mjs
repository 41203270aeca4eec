import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const filePath = `${newFolder()}/history.json`
const history = (sessionId) => new FileSystemChatMessageHistory({ sessionId, filePath })
const texts = async (sessionId) => (await history(sessionId).getMessages()).map(({ content }) => content)

await Promise.all(['a', 'b'].map((id) => history(id).addMessage(new HumanMessage(`of ${id}`))))
const kept = [...(await texts('a')), ...(await texts('b'))]
console.log('two sessions, the first calls of the process, messages kept of two:', kept.length)

await Promise.all(['one', 'two'].map((text) => history('s').addMessage(new HumanMessage(text))))
console.log('one session, two calls at once, messages kept of two:', (await texts('s')).length)
