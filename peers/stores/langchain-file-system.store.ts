import { rm } from 'node:fs/promises'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type * as FileSystem from '@langchain/community/stores/message/file_system'
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'

const module = import.meta.resolve('@langchain/community/stores/message/file_system')

/**
 * One file for each memory. The module knows only the first file it reads (see docs/peers.md), so each memory has a copy of the module. A
 * read takes a turn of the event loop, which it does not by itself: one who reads in a loop would keep the writers from their file.
 */
export default defineStore({
  name: 'LangChain FileSystemChatMessageHistory',
  capabilities: { persistent: true, processes: true },
  async open({ location: filePath }) {
    const copy = `${module}?file=${encodeURIComponent(filePath)}`
    const { FileSystemChatMessageHistory } = (await import(copy)) as typeof FileSystem
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
