import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const history = new RedisChatMessageHistory({ sessionId: newSession(), config })
const additional_kwargs = { number: Number.NaN, date: new Date(0), map: new Map([['k', 1]]) }
await history.addMessage(new HumanMessage({ content: 'x', additional_kwargs }))
console.log('given:', additional_kwargs)
console.log('read: ', (await history.getMessages())[0].additional_kwargs)
await history.clear()

const bigInt = new HumanMessage({ content: 'two', additional_kwargs: { value: 10n } })
await history
  .addMessages([new HumanMessage('one'), bigInt])
  .catch(({ message }) => console.log('a batch of two is rejected:', message))
console.log(
  'and yet there:',
  (await history.getMessages()).map(({ content }) => content),
)
await history.clear()
await history.client.quit()
