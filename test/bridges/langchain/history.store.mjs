import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { langchainHistory } from 'unforget/conformance'
import { UnforgetChatMessageHistory } from 'unforget/langchain'
import { bridgeStore } from '../bridge-store.mjs'

/** @param {URL} module */
export const storeFor = (module) =>
  bridgeStore(module, 'UnforgetChatMessageHistory', (memory) =>
    langchainHistory((id) => new UnforgetChatMessageHistory(memory.session(id)), mapStoredMessagesToChatMessages),
  )
