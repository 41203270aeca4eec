import type * as Package from '@langchain/langgraph-checkpoint'
import { MemoryStoreBackendError } from '../../core/errors.ts'

/** What the bridge uses of LangGraph. Loaded here, so that a missing package is reported with the command that installs it. */
const loaded = await loadPackage()

export const BaseCheckpointSaver: typeof Package.BaseCheckpointSaver = loaded.BaseCheckpointSaver
export const MemorySaver: typeof Package.MemorySaver = loaded.MemorySaver
export const maxChannelVersion: typeof Package.maxChannelVersion = loaded.maxChannelVersion
export const TASKS: string = loaded.TASKS
export const WRITES_IDX_MAP: Readonly<Record<string, number>> = loaded.WRITES_IDX_MAP

async function loadPackage(): Promise<typeof Package> {
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
