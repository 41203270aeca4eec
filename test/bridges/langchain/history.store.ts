import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { langchainHistory } from 'unforget/conformance'
import { UnforgetChatMessageHistory } from 'unforget/langchain'
import { bridgeStore } from '../bridge-store.ts'

export const storeFor = (module: URL) =>
  bridgeStore(module, 'UnforgetChatMessageHistory', (memory) =>
    langchainHistory((id) => new UnforgetChatMessageHistory(memory.session(id)), mapStoredMessagesToChatMessages),
  )
