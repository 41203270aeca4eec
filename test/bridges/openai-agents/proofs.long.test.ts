import { proveOnEveryBackend, storeFiles } from '../prove-bridge.ts'

await proveOnEveryBackend(storeFiles['openai-agents'])
