import { InMemoryChatMessageHistory } from '@langchain/core/chat_history'
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'
import { Memories } from './memories.ts'

const memories = new Memories(() => new InMemoryChatMessageHistory())

/** A history is one conversation. Which history belongs to which session is kept here. */
export default defineStore({
  name: 'LangChain InMemoryChatMessageHistory',
  open: ({ location }) =>
    langchainHistory((sessionId) => memories.of(location, sessionId), mapStoredMessagesToChatMessages),
  destroy: ({ location }) => memories.forget(location),
})
