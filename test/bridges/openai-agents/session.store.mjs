import { agentsSession } from 'unforget/conformance'
import { UnforgetSession } from 'unforget/openai-agents'
import { bridgeStore } from '../bridge-store.mjs'

/** @param {URL} module */
export const storeFor = (module) =>
  bridgeStore(module, 'UnforgetSession', (memory) => agentsSession((id) => new UnforgetSession(memory.session(id))))
