import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { HumanMessage } from '@langchain/core/messages'

const history = new InMemoryChatMessageHistory()
const adding = history.addMessages(['one', 'two', 'three'].map((text) => new HumanMessage(text)))
console.log('while the three are added:', (await history.getMessages()).length)
await adding
console.log('afterwards:', (await history.getMessages()).length)
