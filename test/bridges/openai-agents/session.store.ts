import { agentsSession } from 'unforget/conformance'
import { UnforgetSession } from 'unforget/openai-agents'
import { bridgeStore } from '../bridge-store.ts'

export const storeFor = (module: URL) =>
  bridgeStore(module, 'UnforgetSession', (memory) => agentsSession((id) => new UnforgetSession(memory.session(id))))
