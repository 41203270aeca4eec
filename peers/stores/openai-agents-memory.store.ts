import { MemorySession } from '@openai/agents-core'
import { agentsSession, defineStore } from '../../src/conformance/index.ts'
import { Memories } from './memories.ts'

const memories = new Memories((sessionId) => new MemorySession({ sessionId }))

/** A session is one conversation. Which object belongs to which session is kept here. */
export default defineStore({
  name: 'OpenAI Agents MemorySession',
  open: ({ location }) => agentsSession((sessionId) => memories.of(location, sessionId)),
  destroy: ({ location }) => memories.forget(location),
})
