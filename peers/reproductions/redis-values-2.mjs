import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const history = new RedisChatMessageHistory({ sessionId: newSession(), config })
const additional_kwargs = JSON.parse('{"given":{"__proto__":{"a":1},"b":2}}')
await history.addMessage(new HumanMessage({ content: 'x', additional_kwargs }))
const [read] = await history.getMessages()
console.log('given:', JSON.stringify(additional_kwargs))
console.log('read: ', JSON.stringify(read.additional_kwargs))
await history.clear()
await history.client.quit()
