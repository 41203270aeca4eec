import { MemoryStoreBackendError } from '../../core/errors.ts'

/** What the bridge uses of LangGraph. Loaded here, so that a missing package is reported with the command that installs it. */
export const { BaseCheckpointSaver, MemorySaver, TASKS, WRITES_IDX_MAP, maxChannelVersion } = await loadPackage()

async function loadPackage(): Promise<typeof import('@langchain/langgraph-checkpoint')> {
  try {
    return await import('@langchain/langgraph-checkpoint')
  } catch (cause) {
    throw new MemoryStoreBackendError(
      'CANNOT_OPEN',
      'unforget/langgraph needs LangGraph: npm install @langchain/langgraph @langchain/langgraph-checkpoint @langchain/core',
      { applied: 'no', cause },
    )
  }
}
