import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const history = new FileSystemChatMessageHistory({ sessionId: 's', filePath: `${newFolder()}/history.json` })
await history.addMessage(new HumanMessage({ content: [{ type: 'text', text: 'one' }] }))
const [read] = await history.getMessages()
read.content[0].text = 'changed'
console.log((await history.getMessages())[0].content)
