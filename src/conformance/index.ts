export { CannotProve } from './cannot-prove.ts'
export {
  type Case,
  type CaseContext,
  type FullStore,
  type Level,
  levels,
  type Need,
  type RemoteHandle,
  type StoreMethod,
} from './case.ts'
export { allCases as cases } from './cases/all-cases.ts'
export { readClauses } from './clauses.ts'
export { type ProveOptions, type ProveProgress, prove } from './prove.ts'
export type { Failure, FailureKind } from './report/failure.ts'
export {
  type CaseReport,
  type CaseStatus,
  exitCodes,
  type LevelReport,
  type Report,
  type Verdict,
} from './report/report.ts'
export { runCase } from './running/child/run-case.ts'
export {
  type Capability,
  capabilities,
  defineStore,
  type Endpoint,
  type FaultOptions,
  memoryStoreCapabilities,
  type OpenRequest,
  type StoreDefinition,
} from './store-definition.ts'
export { type LangChainHistory, langchainHistory } from './subjects/langchain.ts'
export { type AgentsSession, agentsSession } from './subjects/openai-agents.ts'
