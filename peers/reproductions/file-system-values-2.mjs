import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { HumanMessage } from '@langchain/core/messages'
import { newFolder } from './folder.mjs'

const history = new FileSystemChatMessageHistory({ sessionId: 's', filePath: `${newFolder()}/history.json` })
const additional_kwargs = JSON.parse('{"given":{"__proto__":{"a":1},"b":2}}')
await history.addMessage(new HumanMessage({ content: 'x', additional_kwargs }))
const [read] = await history.getMessages()
console.log('given:', JSON.stringify(additional_kwargs))
console.log('read: ', JSON.stringify(read.additional_kwargs))
