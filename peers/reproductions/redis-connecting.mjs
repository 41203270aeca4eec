import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const history = new RedisChatMessageHistory({ sessionId: newSession(), config })
const results = await Promise.allSettled(['one', 'two'].map((text) => history.addMessage(new HumanMessage(text))))
for (const { status, reason } of results) console.log(status, reason?.message ?? '')
console.log(
  'read:',
  (await history.getMessages()).map(({ content }) => content),
)
await history.clear()
await history.client.quit()
