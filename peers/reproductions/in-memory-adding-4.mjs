import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { HumanMessage } from '@langchain/core/messages'

const history = new InMemoryChatMessageHistory()
await history.addMessage(new HumanMessage('one'))
const read = await history.getMessages()
read[0].content = 'changed'
read.push(new HumanMessage('never added'))
console.log((await history.getMessages()).map(({ content }) => content))
