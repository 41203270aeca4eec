import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const history = new RedisChatMessageHistory({ sessionId: newSession(), config })
const message = new HumanMessage('one')
const adding = history.addMessage(message)
message.content = 'changed'
await adding
console.log(
  'read:',
  (await history.getMessages()).map(({ content }) => content),
)
await history.clear()
await history.client.quit()
