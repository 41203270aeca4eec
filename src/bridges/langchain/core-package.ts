import { MemoryStoreBackendError } from '../../core/errors.ts'

interface CorePackage {
  readonly histories: typeof import('@langchain/core/chat_history')
  readonly documents: typeof import('@langchain/core/documents')
  readonly messages: typeof import('@langchain/core/messages')
}

/** What the bridge uses of LangChain. Loaded here, so that a missing package is reported with the command that installs it. */
const { histories, documents, messages } = await loadPackage()

export const { BaseListChatMessageHistory } = histories
export const { Document } = documents
export const messageClasses: CorePackage['messages'] = messages

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
