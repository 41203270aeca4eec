import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { RedisChatMessageHistory } from '@langchain/redis'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'

const url = process.env['REDIS_URL']

/** A session's id is the key of its list: the location before it keeps memories apart. A handle is a client. */
export default defineStore({
  name: 'LangChain RedisChatMessageHistory',
  capabilities: { persistent: true, processes: true },
  async open({ location }) {
    const { client } = new RedisChatMessageHistory({ sessionId: location, ...(url && { config: { url } }) })
    await client.connect()
    const historyOf = (id: string) => new RedisChatMessageHistory({ sessionId: `${location}:${id}`, client })
    return { ...langchainHistory(historyOf, mapStoredMessagesToChatMessages), quit: () => client.quit() }
  },
  close: (store) => store.quit(),
})
