import { rm } from 'node:fs/promises'
import { IPFSDatastoreChatMessageHistory } from '@langchain/community/stores/message/ipfs_datastore'
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { FsDatastore } from 'datastore-fs'
import { defineStore, langchainHistory } from '../../src/conformance/index.ts'

/** On the datastore that LangChain's documentation shows: a folder with a file for each message. */
export default defineStore({
  name: 'LangChain IPFSDatastoreChatMessageHistory on datastore-fs',
  capabilities: { persistent: true, processes: true },
  async open({ location }) {
    const datastore = new FsDatastore(location)
    await datastore.open()
    return langchainHistory(
      (sessionId) => new IPFSDatastoreChatMessageHistory({ datastore, sessionId }),
      mapStoredMessagesToChatMessages,
    )
  },
  destroy: ({ location }) => rm(location, { recursive: true, force: true }),
})
