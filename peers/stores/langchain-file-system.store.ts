import { rm } from 'node:fs/promises'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'

/**
 * One file for each memory. A process knows only the first file it reads (see docs/peers.md), so each case needs a process of its own. A
 * read takes a turn of the event loop, which it does not by itself: one who reads in a loop would keep the writers from their file.
 */
export default defineStore({
  name: 'LangChain FileSystemChatMessageHistory',
  capabilities: { persistent: true, processes: true },
  open({ location: filePath }) {
    const store = langchainHistory(
      (sessionId) => new FileSystemChatMessageHistory({ sessionId, filePath }),
      mapStoredMessagesToChatMessages,
    )
    const getHistory = async (sessionId: string) => {
      await turnOfTheLoop()
      return store.getHistory(sessionId)
    }
    return { ...store, getHistory }
  },
  destroy: ({ location }) => rm(location, { force: true }),
})
