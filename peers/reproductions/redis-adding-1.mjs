import { HumanMessage } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { config, newSession } from './redis.mjs'

const history = new RedisChatMessageHistory({ sessionId: newSession(), config })
await history.ensureReadiness()
const seen = new Set()
let isAdding = true
const adding = history.addMessages(['one', 'two', 'three'].map((text) => new HumanMessage(text)))
const reading = (async () => {
  while (isAdding) seen.add((await history.getMessages()).length)
})()
await adding
isAdding = false
await reading
console.log('a part of the three was read:', seen.has(1) || seen.has(2))
await history.clear()

const batches = ['a', 'b'].map((name) => [1, 2].map((number) => new HumanMessage(`${name}${number}`)))
await Promise.all(batches.map((batch) => history.addMessages(batch)))
console.log(
  'two batches at once:',
  (await history.getMessages()).map(({ content }) => content),
)
await history.clear()
await history.client.quit()
