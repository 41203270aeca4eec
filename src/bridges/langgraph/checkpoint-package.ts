import type * as Package from '@langchain/langgraph-checkpoint'
import { MemoryStoreBackendError } from '../../core/errors.ts'

/** What the bridge uses of LangGraph. Loaded here, so that a missing package is reported with the command that installs it. */
const [loaded, messages] = await loadPackages()

export const BaseCheckpointSaver: typeof Package.BaseCheckpointSaver = loaded.BaseCheckpointSaver
export const MemorySaver: typeof Package.MemorySaver = loaded.MemorySaver
export const maxChannelVersion: typeof Package.maxChannelVersion = loaded.maxChannelVersion
export const TASKS: string = loaded.TASKS
export const WRITES_IDX_MAP: Readonly<Record<string, number>> = loaded.WRITES_IDX_MAP

/** The prototypes of LangChain's own message classes. What these serialize is all in their enumerable properties. */
export const messagePrototypes: ReadonlySet<object> = new Set(
  Object.values(messages)
    .flatMap((one) => (typeof one === 'function' ? [one.prototype as unknown] : []))
    .filter((one): one is object => Object.prototype.isPrototypeOf.call(messages.BaseMessage.prototype, Object(one))),
)

async function loadPackages() {
  try {
    return await Promise.all([import('@langchain/langgraph-checkpoint'), import('@langchain/core/messages')])
  } catch (cause) {
    throw new MemoryStoreBackendError(
      'CANNOT_OPEN',
      'unforget/langgraph needs LangGraph: npm install @langchain/langgraph @langchain/langgraph-checkpoint @langchain/core',
      { applied: 'no', cause },
    )
  }
}
