import type * as Histories from '@langchain/core/chat_history'
import type * as Documents from '@langchain/core/documents'
import type * as Messages from '@langchain/core/messages'
import { MemoryStoreBackendError } from '../../core/errors.ts'

interface CorePackage {
  readonly histories: typeof Histories
  readonly documents: typeof Documents
  readonly messages: typeof Messages
}

/** What the bridge uses of LangChain. Loaded here, so that a missing package is reported with the command that installs it. */
const { histories, documents, messages } = await loadPackage()

export const BaseListChatMessageHistory: typeof Histories.BaseListChatMessageHistory =
  histories.BaseListChatMessageHistory
export const Document: typeof Documents.Document = documents.Document
export const messageClasses: typeof Messages = messages

async function loadPackage(): Promise<CorePackage> {
  try {
    const [histories, documents, messages] = await Promise.all([
      import('@langchain/core/chat_history'),
      import('@langchain/core/documents'),
      import('@langchain/core/messages'),
    ])
    return { histories, documents, messages }
  } catch (cause) {
    throw new MemoryStoreBackendError(
      'CANNOT_OPEN',
      'unforget/langchain needs LangChain: npm install @langchain/core',
      { applied: 'no', cause },
    )
  }
}
