import { rm } from 'node:fs/promises'
import { FileSystemChatMessageHistory } from '@langchain/community/stores/message/file_system'
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'

/** One file for each memory. A process reads only the first file it opens: give each case a process of its own. */
export default defineStore({
  name: 'LangChain FileSystemChatMessageHistory',
  capabilities: { persistent: true, processes: true },
  open: ({ location: filePath }) =>
    langchainHistory(
      (sessionId) => new FileSystemChatMessageHistory({ sessionId, filePath }),
      mapStoredMessagesToChatMessages,
    ),
  destroy: ({ location }) => rm(location, { force: true }),
})
