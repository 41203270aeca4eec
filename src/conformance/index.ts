export { type Case, type CaseContext, type FullStore, type Level, levels, type Need, type StoreMethod } from './case.ts'
export { allCases as cases } from './cases/all-cases.ts'
export { readClauses } from './clauses.ts'
export type { RemoteHandle } from './remote-handle.ts'
export { type Failure, type FailureKind, runCase } from './run-case.ts'
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
